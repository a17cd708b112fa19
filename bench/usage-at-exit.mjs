/**
 * Imported before the measured program: at exit it writes the resource usage of the process to file descriptor 3, as
 * one JSON object. The peak is that of the program itself (VmHWM), because the maximum of `getrusage` includes the
 * parent process.
 */
import { readFileSync, writeSync } from 'node:fs';

function peakKilobytes() {
  try {
    return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeSync(3, JSON.stringify({ peakKilobytes: peakKilobytes(), cpuMs: (user + system) / 1000 }));
});
