package io.wirelab.codec.worker;

import io.wirelab.codec.Subject;
import io.wirelab.sdk.Answers;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.Callable;

/** The answers of a step that come before its loops. */
final class Preflight {
    private static final byte OVERWRITTEN = (byte) 0xAA;

    private final Subject subject;
    private final Answers answers;

    Preflight(Subject subject, Answers answers) {
        this.subject = subject;
        this.answers = answers;
    }

    void answer() throws IOException {
        int size = subject.size();
        byte[][] encodings = new byte[size][];
        for (int tick = 0; tick < 2 * size; tick++) {
            int instance = tick < size ? tick : 2 * size - 1 - tick;
            Answer answer = new Answer("preflight", "encode", subject.step(), tick);
            byte[] encoding = answer.time(() -> subject.encode(instance));
            if (encoding != null) {
                answer.put("answer", Map.of("hex", HexFormat.of().formatHex(encoding)));
                encodings[instance] = encoding;
            }
            answers.add(answer.line());
        }
        decode(encodings);
    }

    /**
     * Values are written when all encodings have been decoded and overwritten, so that one that
     * still needs its bytes shows; what is passing by design is written before either.
     */
    private void decode(byte[][] encodings) throws IOException {
        Answer[] given = new Answer[encodings.length];
        Subject.Decoded[] decoded = new Subject.Decoded[encodings.length];
        for (int tick = 0; tick < encodings.length; tick++) {
            byte[] encoding = encodings[tick];
            given[tick] = new Answer("preflight", "decode", subject.step(), tick);
            decoded[tick] = given[tick].time(() -> subject.decode(encoding));
            if (subject.passing()) {
                write(given[tick], decoded[tick]);
            }
        }
        if (!subject.passing()) {
            for (byte[] encoding : encodings) {
                if (encoding != null) {
                    Arrays.fill(encoding, OVERWRITTEN);
                }
            }
            for (int tick = 0; tick < encodings.length; tick++) {
                write(given[tick], decoded[tick]);
            }
        }
    }

    private void write(Answer answer, Subject.Decoded decoded) throws IOException {
        if (decoded != null) {
            Callable<Object> value = decoded::neutral;
            answer.value(value);
        }
        answers.add(answer.line());
    }
}
