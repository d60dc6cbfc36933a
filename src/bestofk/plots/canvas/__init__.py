"""What figures are drawn with: the sheet, themes, keys, widths of texts."""
