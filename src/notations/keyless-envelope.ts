import { type Notation, type NotationForm } from './notation.ts';

/**
 * A call envelope that lost the key of its arguments, as small models write it. It is in no chat
 * template.
 */
export const keylessEnvelope: Notation = {
  id: 'keyless_envelope',
  forms: [
    {
      head: '\\{\\s{0,64}(["\'])name\\1\\s{0,64}:\\s{0,64}(["\'])(?<name>[^"\'\\\\]{1,128})\\2\\s{0,64},\\s{0,64}(?=\\{)',
      arguments: 'keyless',
    },
  ],
};

export const keylessEnvelopeForm: NotationForm = {
  models: 'small models',
  form: '`{"name": "NAME", {…}}`, only with this tool’s name',
  notExpressed: 'nothing',
  write: ({ name, arguments: values }) =>
    `{"name": ${JSON.stringify(name)}, ${JSON.stringify(values)}}`,
};
