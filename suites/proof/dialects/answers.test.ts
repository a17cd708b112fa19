import { describe } from 'vitest';
import { answerDialects } from '../../../reference-server/dialects/index.ts';
import { areNotAccused } from './spoken.fixture.ts';

describe('a server that answers otherwise is not accused', () => areNotAccused(answerDialects));
