import { describe } from 'vitest';
import { livingRuleDialects } from '../../../reference-server/dialects/index.ts';
import { areNotAccused } from './spoken.fixture.ts';

describe('a server with limits and rules of its own is not accused', () => areNotAccused(livingRuleDialects));
