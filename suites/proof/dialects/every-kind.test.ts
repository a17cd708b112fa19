import { describe } from 'vitest';
import { areNotAccused } from './spoken.fixture.ts';

describe('a server that is another in each of its collections is not accused', () => areNotAccused('every-kind'));
