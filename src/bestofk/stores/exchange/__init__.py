"""Results between stores: tables out and in, one store into another, what can be read of a damaged one."""
