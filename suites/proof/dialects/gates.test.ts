import { describe } from 'vitest';
import { areNotAccused } from './spoken.fixture.ts';

describe('a server whose gates are others is not accused', () => areNotAccused('gates'));
