package io.wirelab.codec.shapes;

/** Eight strings. */
public final class T2 {
    public String s1;
    public String s2;
    public String s3;
    public String s4;
    public String s5;
    public String s6;
    public String s7;
    public String s8;
}
