"""Tables: a file, a data frame or Python objects become named columns of numbers or words, for results and for data.

``table_from_file``, ``table_from_frame`` and ``table_from_columns`` read one. What its columns mean is for others to
say: the layouts of results, and the data sets.
"""
