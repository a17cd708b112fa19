import { describe } from 'vitest';
import { areNotAccused } from './spoken.fixture.ts';

describe('a server whose metrics, configs, prompts or lists are others is not accused', () =>
  areNotAccused('other-collections'));
