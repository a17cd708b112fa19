import { describe } from 'vitest';
import { areNotAccused } from './spoken.fixture.ts';

describe('a server whose experiments or sources are others is not accused', () => areNotAccused('experiments'));
