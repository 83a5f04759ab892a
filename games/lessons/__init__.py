"""Lessons: prepared positions that ask for one decision each, and the judgement of every legal decision there."""
