"""The cellar floor: errors, shelves, extras, random generators. Knows no learner and no statistic."""
