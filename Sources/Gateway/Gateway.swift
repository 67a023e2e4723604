// Seed of the Gateway room.
