@0xc0de0dd5a11ce5ee;

struct Blob {
  bytes @0 :Data;
}
