import { killMatrix, shards } from './matrix.fixture.ts';

killMatrix(shards.metrics);
