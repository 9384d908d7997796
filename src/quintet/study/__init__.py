"""What a player learns from: analysis, the coach, reviews, puzzles, solved boards."""
