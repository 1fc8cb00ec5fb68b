/** Large messages: a blob is Avro's bytes, and records follow each other with nothing between. */

/**
 * @param {(schema: unknown) => import('avsc').Type} typeOf
 * @param {unknown} point the schema of a record
 */
export function largeOf(typeOf, point) {
  const [blob, record] = [typeOf('bytes'), typeOf(point)];
  return {
    blob: { encode: (data) => blob.toBuffer(data), decode: (bytes) => blob.fromBuffer(bytes) },
    writer: (sink) => (value) => sink.write(record.toBuffer(value)),
    reader: (chunks) => recordsOf(record, chunks),
  };
}

/** `decode` says where a record ends, and -1 where the bytes end first. */
function* recordsOf(type, chunks) {
  let held = Buffer.alloc(0);
  for (const chunk of chunks) {
    const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
    let at = 0;
    for (let read = type.decode(bytes); read.offset >= 0; read = type.decode(bytes, at)) {
      yield read.value;
      at = read.offset;
    }
    held = bytes.subarray(at);
  }
  if (held.length > 0) throw new RangeError('the file ends within a record');
}
