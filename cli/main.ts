#!/usr/bin/env node
import { begin } from './begin.ts';

await begin();
