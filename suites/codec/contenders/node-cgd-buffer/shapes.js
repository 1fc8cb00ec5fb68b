/** The shapes, field after field. */

const appendText = (writer, text) => writer.appendString(text);
const extractText = (reader) => reader.extractString();
const appendNumber = (writer, number) => writer.appendInt32(number);
const extractNumber = (reader) => reader.extractInt32();
const appendNumbers = (writer, numbers) => writer.appendList(numbers, appendNumber);
const extractNumbers = (reader) => reader.extractList(4, extractNumber);

const T1 = {
  append(writer, v) {
    writer.appendInt8(v.c);
    writer.appendUint8(v.uc);
    writer.appendInt16(v.i16);
    writer.appendUint16(v.u16);
    writer.appendInt32(v.i32);
    writer.appendUint32(v.u32);
    writer.appendInt64(v.i64);
    writer.appendInt64(v.u64);
    writer.appendFloat(v.f);
    writer.appendDouble(v.d);
  },
  extract: (reader) => ({
    c: reader.extractInt8(),
    uc: reader.extractUint8(),
    i16: reader.extractInt16(),
    u16: reader.extractUint16(),
    i32: reader.extractInt32(),
    u32: reader.extractUint32(),
    i64: reader.extractInt64(),
    u64: reader.extractUint64(),
    f: reader.extractFloat(),
    d: reader.extractDouble(),
  }),
};

const T2 = {
  append(writer, v) {
    writer.appendString(v.s1);
    writer.appendString(v.s2);
    writer.appendString(v.s3);
    writer.appendString(v.s4);
    writer.appendString(v.s5);
    writer.appendString(v.s6);
    writer.appendString(v.s7);
    writer.appendString(v.s8);
  },
  extract: (reader) => ({
    s1: reader.extractString(),
    s2: reader.extractString(),
    s3: reader.extractString(),
    s4: reader.extractString(),
    s5: reader.extractString(),
    s6: reader.extractString(),
    s7: reader.extractString(),
    s8: reader.extractString(),
  }),
};

const T3 = { append: appendNumbers, extract: extractNumbers };

const T4 = {
  append: (writer, v) => writer.appendList(v, appendText),
  extract: (reader) => reader.extractList(6, extractText),
};

const T5 = {
  append: (writer, v) => writer.appendMap(v, appendNumbers),
  extract: (reader) => reader.extractMap(4, extractNumbers),
};

function appendPoint(writer, { time, value, quality }) {
  writer.appendInt64(time);
  writer.appendDouble(value);
  writer.appendInt32(quality);
}

const extractPoint = (reader) => ({
  time: reader.extractInt64(),
  value: reader.extractDouble(),
  quality: reader.extractInt32(),
});

const telemetry = {
  append: (writer, { points }) => writer.appendList(points, appendPoint),
  extract: (reader) => ({ points: reader.extractList(20, extractPoint) }),
};

function appendPosition(writer, { x, y }) {
  writer.appendInt32(x);
  writer.appendInt32(y);
}

const extractPosition = (reader) => ({ x: reader.extractInt32(), y: reader.extractInt32() });

function appendStroke(writer, { color, width, points }) {
  writer.appendString(color);
  writer.appendDouble(width);
  writer.appendList(points, appendPosition);
}

const extractStroke = (reader) => ({
  color: reader.extractString(),
  width: reader.extractDouble(),
  points: reader.extractList(8, extractPosition),
});

const chat = {
  append(writer, v) {
    writer.appendString(v.id);
    writer.appendInt64(v.sent);
    writer.appendString(v.board);
    writer.appendUint32(v.author.id);
    writer.appendString(v.author.name);
    writer.appendBool(v.author.active);
    writer.appendString(v.text);
    writer.appendList(v.mentions, appendText);
    writer.appendList(v.strokes, appendStroke);
  },
  extract: (reader) => ({
    id: reader.extractString(),
    sent: reader.extractInt64(),
    board: reader.extractString(),
    author: {
      id: reader.extractUint32(),
      name: reader.extractString(),
      active: reader.extractBool(),
    },
    text: reader.extractString(),
    mentions: reader.extractList(6, extractText),
    strokes: reader.extractList(18, extractStroke),
  }),
};

/** By shape: `append` to a writer, `extract` from a reader. */
export const shapes = { T1, T2, T3, T4, T5, telemetry, chat };
