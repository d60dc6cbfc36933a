"""The cellar floor: errors, registry, extras, random generators. Knows no learner and no statistic."""
