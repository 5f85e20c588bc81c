"""How the network of ``expert`` is taught: hands that it plays against itself and a pool, and temporal differences."""
