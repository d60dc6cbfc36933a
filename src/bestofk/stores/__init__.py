"""Where results are kept: one protocol, several stores. A store is the only truth, so resuming is nothing special."""
