import { killMatrix, shards } from './matrix.fixture.ts';

killMatrix(shards.experiments);
