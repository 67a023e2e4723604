// Seed of the Codec room.
