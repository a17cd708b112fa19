import { killMatrix, shards } from './matrix.fixture.ts';

killMatrix(shards['qualifying-events']);
