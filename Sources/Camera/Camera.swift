// Seed of the Camera room.
