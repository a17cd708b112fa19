#!/usr/bin/env node
import './frugal-heap.ts';
import { main } from './program.ts';
import { outliveStandardOutput } from './standard-output.ts';

outliveStandardOutput();
process.exitCode = await main(process.argv.slice(2));
