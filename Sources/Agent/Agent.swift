// Seed of the Agent room.
