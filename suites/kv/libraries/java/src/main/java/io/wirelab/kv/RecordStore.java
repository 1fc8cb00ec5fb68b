package io.wirelab.kv;

import java.util.List;

/**
 * A store that has YCSB's user table as well: one record a call, of ten fields in order. What is
 * called here is called by several threads at a time, and throws as the library says it.
 *
 * @param <B> a multi-get in the library's own form
 */
public interface RecordStore<B> extends Store<B> {

    /** All fields of a record; null where there is none. */
    List<byte[]> readRecord(String key) throws Exception;

    /** Replaces a field of a record that is there. */
    void writeRecord(String key, int field, byte[] value) throws Exception;

    /** Makes a record that is not there. */
    void insertRecord(String key, List<byte[]> values) throws Exception;

    /**
     * Reads a record and replaces a field of what was read. Where another one has written between,
     * all of it is done again.
     *
     * @return what was read
     */
    List<byte[]> modifyRecord(String key, int field, byte[] value) throws Exception;
}
