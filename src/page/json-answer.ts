/** An answer of the server of the page. */
export interface JsonAnswer {
  readonly status: number;
  readonly body: object;
}
