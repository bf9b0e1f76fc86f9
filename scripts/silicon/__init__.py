"""Measures on a GPU what warpspan predicts. `scripts/on-gpu` is the entry; README.md says which module does what."""
