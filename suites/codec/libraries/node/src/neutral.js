/** Values of JavaScript as JSON that every reader of answers understands. */

const DIGITS = /"\uE000(-?\d+)\uE000"/g;
/**
 * A lone surrogate as JSON.stringify writes it; an even number of backslashes before it is text.
 */
const LONE = /(?<!\\)((?:\\\\)*)\\(ud[89a-f][0-9a-f]{2})/g;

/**
 * JSON, in which a BigInt is an integer like others. A lone surrogate is told by its escape as
 * text (`\\ud800`): UTF-8 has no bytes for it, and not every reader of the file survives one.
 * @param {object} value
 */
export function neutral(value) {
  let large = false;
  const text = JSON.stringify(value, (_, part) => {
    if (typeof part !== 'bigint') return part;
    large = true;
    return `\uE000${part}\uE000`;
  });
  const numbered = large ? text.replace(DIGITS, '$1') : text;
  return numbered.replace(LONE, '$1\\\\$2');
}
