// What do keys without quotes, numbers and words look like in JSON text?

export const strictScalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;
export const looseScalar =
  /(?:true|false|null|True|False|None|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y;
export const bareKey = /([A-Za-z_$][\w$.-]*)"?(?=\s*:)/y;
export const scalarWords: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
]);
