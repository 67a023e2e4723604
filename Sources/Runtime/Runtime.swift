// Seed of the Runtime room.
