"""A run of a plan: the jobs that are missing, what is written as they finish, and what is told about it."""
