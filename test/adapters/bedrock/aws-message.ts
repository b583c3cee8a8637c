import { crc32 } from 'node:zlib';

/** `{ messageStop: { … } }` as a message of https://smithy.io/2.0/aws/amazon-eventstream.html */
export function awsMessage(event: unknown): Uint8Array {
  const [[name, content] = ['initial', {}]] = Object.entries(Object(event));
  const header = (key: string, value: string): Buffer => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(value.length);
    const start = Buffer.from([key.length, ...Buffer.from(key), 7]);
    return Buffer.concat([start, length, Buffer.from(value)]);
  };
  const headers = Buffer.concat([
    header(':message-type', 'event'),
    header(':event-type', name),
    header(':content-type', 'application/json'),
  ]);
  const payload = Buffer.from(JSON.stringify(content));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(16 + headers.length + payload.length, 0);
  prelude.writeUInt32BE(headers.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const message = Buffer.concat([prelude, headers, payload]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(message));
  return Buffer.concat([message, checksum]);
}
