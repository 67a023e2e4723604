// Seed of the Device room.
