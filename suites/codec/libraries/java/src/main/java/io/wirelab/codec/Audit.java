package io.wirelab.codec;

import io.wirelab.sdk.Loop;
import java.util.ArrayList;
import java.util.List;

/**
 * A loop's work on inputs that were changed in place, whose results are looked at later: see
 * <i>Audits</i> in the README.md of the suite.
 *
 * @param <I> the inputs
 * @param <R> the results
 */
final class Audit<I, R> implements Loop.Audit {
    /** Results of each input before others are looked at: what is given again is another by then. */
    private static final int MEANWHILE = 2;

    private final List<I> inputs;
    private final Change change;
    private final Work<I, R> work;
    private final Look<R> look;
    private final boolean passing;
    private Spoiling<R> spoiling = results -> {};

    /** Puts twins in the places of inputs, and undoes it when called again. */
    @FunctionalInterface
    interface Change {
        /** Leaves inputs as they are: a library's messages have no twins. */
        Change NONE = () -> {};

        /** Does it, or undoes it. */
        void make() throws Exception;
    }

    /** An operation. */
    @FunctionalInterface
    interface Work<I, R> {
        /** The result of {@code input}. */
        R of(I input) throws Exception;
    }

    /** The look at a result, which is held to the value that is wanted. */
    @FunctionalInterface
    interface Look<R> {
        /** The fold of {@code result}, and one more where it is not what is wanted at its place. */
        int at(R result, int place) throws Exception;
    }

    /** Spoiling of results, as their owner may do it. */
    @FunctionalInterface
    interface Spoiling<R> {
        /** Changes {@code results}. */
        void of(List<R> results) throws Exception;
    }

    /** {@code passing}: a result lasts only until the next one. */
    Audit(List<I> inputs, Change change, Work<I, R> work, Look<R> look, boolean passing) {
        this.inputs = inputs;
        this.change = change;
        this.work = work;
        this.look = look;
        this.passing = passing;
    }

    /** Has results spoiled when they were looked at: their library does not go on with them. */
    Audit<I, R> spoiling(Spoiling<R> spoiling) {
        this.spoiling = spoiling;
        return this;
    }

    @Override
    public int checksum() throws Exception {
        List<R> results = new ArrayList<>();
        int sum = work(results);
        if (passing) {
            return sum;
        }
        for (int i = 0; i < MEANWHILE * inputs.size(); i++) {
            work.of(inputs.get(i % inputs.size()));
        }
        for (int i = 0; i < results.size(); i++) {
            sum += look.at(results.get(i), i);
        }
        spoiling.of(results);
        return sum;
    }

    /** Fills {@code results} while inputs are changed, and looks at those that would not last. */
    private int work(List<R> results) throws Exception {
        int sum = 0;
        change.make();
        try {
            for (I input : inputs) {
                R result = work.of(input);
                sum += passing ? look.at(result, results.size()) : 0;
                results.add(result);
            }
        } finally {
            change.make();
        }
        return sum;
    }
}
