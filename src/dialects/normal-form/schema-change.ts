// What is other about a tool as a provider is shown it? For whoever checks a set of tools; nothing is decided by it.

/** `adapted`: shown in another form, nothing is lost. `lost`: something can't be said or sent. */
export interface SchemaChange {
  readonly kind: 'adapted' | 'lost';
  readonly pointer: string;
  readonly rule: ChangeRule;
  /** What, as a clause: "has a union at its root". */
  readonly what: string;
}

export type ChangeRule =
  | 'any-value'
  | 'closed'
  | 'description'
  | 'map'
  | 'misused'
  | 'optional'
  | 'property-key'
  | 'recursion'
  | 'reference'
  | 'root'
  | 'too-large'
  | 'tuple'
  | 'union';
