package io.wirelab.messaging;

import io.wirelab.sdk.Intervals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Writes a tally for each line of standard input: {@code second;step;counts;durations}. */
final class TallyVectors {
    private TallyVectors() {}

    public static void main(String[] arguments) throws IOException {
        BufferedReader given = new BufferedReader(
                new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Intervals intervals = new Intervals(Path.of(arguments[0]));
        for (String line = given.readLine(); line != null; line = given.readLine()) {
            String[] fields = line.split(";", -1);
            Tally tally = new Tally(fields[1].isEmpty(), 0);
            String[] counts = fields[2].split(" ");
            tally.expected = Long.parseLong(counts[0]);
            tally.received = Long.parseLong(counts[1]);
            tally.duplicates = Long.parseLong(counts[2]);
            tally.reordered = Long.parseLong(counts[3]);
            tally.held = Long.parseLong(counts[4]);
            tally.wrong = Long.parseLong(counts[5]);
            tally.bytes = Long.parseLong(counts[6]);
            for (String ns : fields[3].isEmpty() ? new String[0] : fields[3].split(" ")) {
                tally.took(Long.parseLong(ns), Long.parseLong(ns));
            }
            intervals.write(tally.interval(Long.parseLong(fields[0]), fields[1]));
        }
        intervals.close();
    }
}
