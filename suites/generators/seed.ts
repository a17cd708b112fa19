/**
 * Returns a stable 32-bit seed for (run seed, endpoint id, check id …), by FNV-1a over the UTF-16 units of the parts.
 * It depends on nothing else, so filtering, sharding and concurrency never change what is sent.
 */
export function seedOf(runSeed: number, ...parts: string[]): number {
  let hash = 0x811c9dc5;
  const text = [runSeed, ...parts].join('\u0000');
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash | 0;
}
