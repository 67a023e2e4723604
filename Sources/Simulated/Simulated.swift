// Seed of the Simulated room.
