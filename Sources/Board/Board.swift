// Seed of the Board room.
