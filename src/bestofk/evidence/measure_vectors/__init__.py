"""What measures can be made of: counts, predictions and probabilities of items, further columns; vectors of them."""
