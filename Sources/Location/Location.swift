// Seed of the Location room.
