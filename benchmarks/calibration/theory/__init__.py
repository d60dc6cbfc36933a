"""Sizes and powers that are known exactly: by formula, enumeration or quadrature, never by bestofk itself."""
