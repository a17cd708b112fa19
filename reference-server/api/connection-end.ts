/** Thrown in the place of an answer: `drop` closes the connection, `stall` leaves the client waiting. */
export class ConnectionEnd extends Error {
  readonly how: 'drop' | 'stall';
  constructor(how: 'drop' | 'stall') {
    super(how);
    this.name = 'ConnectionEnd';
    this.how = how;
  }
}
