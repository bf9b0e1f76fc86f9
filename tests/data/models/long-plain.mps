NAME        
OBJSENSE
  MAX
ROWS
 N  Obj     
 L  eq14_t1 
 L  eq40_L_t1
 L  eq41_L_t1
 L  eq15_t1 
 L  eq40_C_t1
 L  eq41_C_t1
 L  eq16_L_g1_w1_t1
 L  eq16_C_g1_w1_t1
 L  eq16_L_g1_w2_t1
 L  eq16_C_g1_w2_t1
 L  eq14_t2 
 L  eq40_L_t2
 L  eq41_L_t2
 L  eq15_t2 
 L  eq40_C_t2
 L  eq41_C_t2
 L  eq16_L_g1_w1_t2
 L  eq16_C_g1_w1_t2
 L  eq16_L_g1_w2_t2
 L  eq16_C_g1_w2_t2
 L  eq14_t3 
 L  eq40_L_t3
 L  eq41_L_t3
 L  eq15_t3 
 L  eq40_C_t3
 L  eq41_C_t3
 L  eq16_L_g1_w1_t3
 L  eq16_C_g1_w1_t3
 L  eq16_L_g1_w2_t3
 L  eq16_C_g1_w2_t3
 L  eq14_t4 
 L  eq40_L_t4
 L  eq41_L_t4
 L  eq15_t4 
 L  eq40_C_t4
 L  eq41_C_t4
 L  eq16_L_g1_w1_t4
 L  eq16_C_g1_w1_t4
 L  eq16_L_g1_w2_t4
 L  eq16_C_g1_w2_t4
 E  eq17_L_g1_w1_i1
 E  eq17_C_g1_w1_i1
 L  eq18_g1_w1_i1
 E  eq17_L_g1_w1_i2
 E  eq17_C_g1_w1_i2
 L  eq12_g1_w1
 E  eq17_L_g1_w2_i1
 E  eq17_C_g1_w2_i1
 L  eq18_g1_w2_i1
 E  eq17_L_g1_w2_i2
 E  eq17_C_g1_w2_i2
 G  eq33_g1_w1_t1
 G  eq33_g1_w1_t2
 G  eq33_g1_w1_t3
 G  eq33_g1_w1_t4
 G  eq36_g1_w1_t1
 G  eq36_g1_w1_t2
 G  eq36_g1_w1_t3
 G  eq36_g1_w1_t4
 G  eq33_g1_w2_t1
 G  eq33_g1_w2_t2
 G  eq33_g1_w2_t3
 G  eq33_g1_w2_t4
 G  eq36_g1_w2_t1
 G  eq36_g1_w2_t2
 G  eq36_g1_w2_t3
 G  eq36_g1_w2_t4
COLUMNS
    MARK0000  'MARKER'                 'INTORG'
    LS_g1_w1_i1_t1  eq14_t1   1
    LS_g1_w1_i1_t1  eq40_L_t1  1
    LS_g1_w1_i1_t1  eq41_L_t1  -1
    LS_g1_w1_i1_t1  eq16_L_g1_w1_t1  1
    LS_g1_w1_i1_t1  eq17_L_g1_w1_i1  1
    LS_g1_w1_i1_t1  eq18_g1_w1_i1  1
    LS_g1_w1_i1_t1  eq33_g1_w1_t1  1
    LS_g1_w1_i1_t1  eq33_g1_w1_t2  1
    LS_g1_w1_i1_t1  eq33_g1_w1_t3  1
    LS_g1_w1_i1_t1  eq33_g1_w1_t4  1
    LS_g1_w1_i1_t1  eq36_g1_w1_t1  1
    LS_g1_w1_i1_t2  eq14_t2   1
    LS_g1_w1_i1_t2  eq40_L_t2  1
    LS_g1_w1_i1_t2  eq41_L_t2  -1
    LS_g1_w1_i1_t2  eq16_L_g1_w1_t2  1
    LS_g1_w1_i1_t2  eq17_L_g1_w1_i1  1
    LS_g1_w1_i1_t2  eq18_g1_w1_i1  2
    LS_g1_w1_i1_t2  eq33_g1_w1_t2  1
    LS_g1_w1_i1_t2  eq33_g1_w1_t3  1
    LS_g1_w1_i1_t2  eq33_g1_w1_t4  1
    LS_g1_w1_i1_t2  eq36_g1_w1_t1  1
    LS_g1_w1_i1_t2  eq36_g1_w1_t2  1
    LS_g1_w1_i1_t3  eq14_t3   1
    LS_g1_w1_i1_t3  eq40_L_t3  1
    LS_g1_w1_i1_t3  eq41_L_t3  -1
    LS_g1_w1_i1_t3  eq16_L_g1_w1_t3  1
    LS_g1_w1_i1_t3  eq17_L_g1_w1_i1  1
    LS_g1_w1_i1_t3  eq18_g1_w1_i1  3
    LS_g1_w1_i1_t3  eq33_g1_w1_t3  1
    LS_g1_w1_i1_t3  eq33_g1_w1_t4  1
    LS_g1_w1_i1_t3  eq36_g1_w1_t1  1
    LS_g1_w1_i1_t3  eq36_g1_w1_t2  1
    LS_g1_w1_i1_t3  eq36_g1_w1_t3  1
    LS_g1_w1_i1_t4  eq14_t4   1
    LS_g1_w1_i1_t4  eq40_L_t4  1
    LS_g1_w1_i1_t4  eq41_L_t4  -1
    LS_g1_w1_i1_t4  eq16_L_g1_w1_t4  1
    LS_g1_w1_i1_t4  eq17_L_g1_w1_i1  1
    LS_g1_w1_i1_t4  eq18_g1_w1_i1  4
    LS_g1_w1_i1_t4  eq33_g1_w1_t4  1
    LS_g1_w1_i1_t4  eq36_g1_w1_t1  1
    LS_g1_w1_i1_t4  eq36_g1_w1_t2  1
    LS_g1_w1_i1_t4  eq36_g1_w1_t3  1
    LS_g1_w1_i1_t4  eq36_g1_w1_t4  1
    CC_g1_w1_i1_t1  eq15_t1   1
    CC_g1_w1_i1_t1  eq40_C_t1  1
    CC_g1_w1_i1_t1  eq41_C_t1  -1
    CC_g1_w1_i1_t1  eq16_C_g1_w1_t1  1
    CC_g1_w1_i1_t1  eq17_C_g1_w1_i1  1
    CC_g1_w1_i1_t1  eq18_g1_w1_i1  1
    CC_g1_w1_i1_t1  eq33_g1_w1_t1  1
    CC_g1_w1_i1_t1  eq33_g1_w1_t2  1
    CC_g1_w1_i1_t1  eq33_g1_w1_t3  1
    CC_g1_w1_i1_t1  eq33_g1_w1_t4  1
    CC_g1_w1_i1_t1  eq36_g1_w1_t1  1
    CC_g1_w1_i1_t2  eq15_t2   1
    CC_g1_w1_i1_t2  eq40_C_t2  1
    CC_g1_w1_i1_t2  eq41_C_t2  -1
    CC_g1_w1_i1_t2  eq16_C_g1_w1_t2  1
    CC_g1_w1_i1_t2  eq17_C_g1_w1_i1  1
    CC_g1_w1_i1_t2  eq18_g1_w1_i1  2
    CC_g1_w1_i1_t2  eq33_g1_w1_t2  1
    CC_g1_w1_i1_t2  eq33_g1_w1_t3  1
    CC_g1_w1_i1_t2  eq33_g1_w1_t4  1
    CC_g1_w1_i1_t2  eq36_g1_w1_t1  1
    CC_g1_w1_i1_t2  eq36_g1_w1_t2  1
    CC_g1_w1_i1_t3  eq15_t3   1
    CC_g1_w1_i1_t3  eq40_C_t3  1
    CC_g1_w1_i1_t3  eq41_C_t3  -1
    CC_g1_w1_i1_t3  eq16_C_g1_w1_t3  1
    CC_g1_w1_i1_t3  eq17_C_g1_w1_i1  1
    CC_g1_w1_i1_t3  eq18_g1_w1_i1  3
    CC_g1_w1_i1_t3  eq33_g1_w1_t3  1
    CC_g1_w1_i1_t3  eq33_g1_w1_t4  1
    CC_g1_w1_i1_t3  eq36_g1_w1_t1  1
    CC_g1_w1_i1_t3  eq36_g1_w1_t2  1
    CC_g1_w1_i1_t3  eq36_g1_w1_t3  1
    CC_g1_w1_i1_t4  eq15_t4   1
    CC_g1_w1_i1_t4  eq40_C_t4  1
    CC_g1_w1_i1_t4  eq41_C_t4  -1
    CC_g1_w1_i1_t4  eq16_C_g1_w1_t4  1
    CC_g1_w1_i1_t4  eq17_C_g1_w1_i1  1
    CC_g1_w1_i1_t4  eq18_g1_w1_i1  4
    CC_g1_w1_i1_t4  eq33_g1_w1_t4  1
    CC_g1_w1_i1_t4  eq36_g1_w1_t1  1
    CC_g1_w1_i1_t4  eq36_g1_w1_t2  1
    CC_g1_w1_i1_t4  eq36_g1_w1_t3  1
    CC_g1_w1_i1_t4  eq36_g1_w1_t4  1
    LS_g1_w1_i2_t1  eq14_t1   1
    LS_g1_w1_i2_t1  eq40_L_t1  1
    LS_g1_w1_i2_t1  eq41_L_t1  -1
    LS_g1_w1_i2_t1  eq16_L_g1_w1_t1  1
    LS_g1_w1_i2_t1  eq18_g1_w1_i1  -1
    LS_g1_w1_i2_t1  eq17_L_g1_w1_i2  1
    LS_g1_w1_i2_t1  eq12_g1_w1  1
    LS_g1_w1_i2_t1  eq36_g1_w1_t1  1
    LS_g1_w1_i2_t1  eq36_g1_w1_t2  1
    LS_g1_w1_i2_t1  eq36_g1_w1_t3  1
    LS_g1_w1_i2_t1  eq36_g1_w1_t4  1
    LS_g1_w1_i2_t2  eq14_t2   1
    LS_g1_w1_i2_t2  eq40_L_t2  1
    LS_g1_w1_i2_t2  eq41_L_t2  -1
    LS_g1_w1_i2_t2  eq16_L_g1_w1_t2  1
    LS_g1_w1_i2_t2  eq18_g1_w1_i1  -2
    LS_g1_w1_i2_t2  eq17_L_g1_w1_i2  1
    LS_g1_w1_i2_t2  eq12_g1_w1  2
    LS_g1_w1_i2_t2  eq36_g1_w1_t2  1
    LS_g1_w1_i2_t2  eq36_g1_w1_t3  1
    LS_g1_w1_i2_t2  eq36_g1_w1_t4  1
    LS_g1_w1_i2_t3  eq14_t3   1
    LS_g1_w1_i2_t3  eq40_L_t3  1
    LS_g1_w1_i2_t3  eq41_L_t3  -1
    LS_g1_w1_i2_t3  eq16_L_g1_w1_t3  1
    LS_g1_w1_i2_t3  eq18_g1_w1_i1  -3
    LS_g1_w1_i2_t3  eq17_L_g1_w1_i2  1
    LS_g1_w1_i2_t3  eq12_g1_w1  3
    LS_g1_w1_i2_t3  eq36_g1_w1_t3  1
    LS_g1_w1_i2_t3  eq36_g1_w1_t4  1
    LS_g1_w1_i2_t4  eq14_t4   1
    LS_g1_w1_i2_t4  eq40_L_t4  1
    LS_g1_w1_i2_t4  eq41_L_t4  -1
    LS_g1_w1_i2_t4  eq16_L_g1_w1_t4  1
    LS_g1_w1_i2_t4  eq18_g1_w1_i1  -4
    LS_g1_w1_i2_t4  eq17_L_g1_w1_i2  1
    LS_g1_w1_i2_t4  eq12_g1_w1  4
    LS_g1_w1_i2_t4  eq36_g1_w1_t4  1
    CC_g1_w1_i2_t1  eq15_t1   1
    CC_g1_w1_i2_t1  eq40_C_t1  1
    CC_g1_w1_i2_t1  eq41_C_t1  -1
    CC_g1_w1_i2_t1  eq16_C_g1_w1_t1  1
    CC_g1_w1_i2_t1  eq18_g1_w1_i1  -1
    CC_g1_w1_i2_t1  eq17_C_g1_w1_i2  1
    CC_g1_w1_i2_t1  eq12_g1_w1  1
    CC_g1_w1_i2_t1  eq36_g1_w1_t1  1
    CC_g1_w1_i2_t1  eq36_g1_w1_t2  1
    CC_g1_w1_i2_t1  eq36_g1_w1_t3  1
    CC_g1_w1_i2_t1  eq36_g1_w1_t4  1
    CC_g1_w1_i2_t2  eq15_t2   1
    CC_g1_w1_i2_t2  eq40_C_t2  1
    CC_g1_w1_i2_t2  eq41_C_t2  -1
    CC_g1_w1_i2_t2  eq16_C_g1_w1_t2  1
    CC_g1_w1_i2_t2  eq18_g1_w1_i1  -2
    CC_g1_w1_i2_t2  eq17_C_g1_w1_i2  1
    CC_g1_w1_i2_t2  eq12_g1_w1  2
    CC_g1_w1_i2_t2  eq36_g1_w1_t2  1
    CC_g1_w1_i2_t2  eq36_g1_w1_t3  1
    CC_g1_w1_i2_t2  eq36_g1_w1_t4  1
    CC_g1_w1_i2_t3  eq15_t3   1
    CC_g1_w1_i2_t3  eq40_C_t3  1
    CC_g1_w1_i2_t3  eq41_C_t3  -1
    CC_g1_w1_i2_t3  eq16_C_g1_w1_t3  1
    CC_g1_w1_i2_t3  eq18_g1_w1_i1  -3
    CC_g1_w1_i2_t3  eq17_C_g1_w1_i2  1
    CC_g1_w1_i2_t3  eq12_g1_w1  3
    CC_g1_w1_i2_t3  eq36_g1_w1_t3  1
    CC_g1_w1_i2_t3  eq36_g1_w1_t4  1
    CC_g1_w1_i2_t4  eq15_t4   1
    CC_g1_w1_i2_t4  eq40_C_t4  1
    CC_g1_w1_i2_t4  eq41_C_t4  -1
    CC_g1_w1_i2_t4  eq16_C_g1_w1_t4  1
    CC_g1_w1_i2_t4  eq18_g1_w1_i1  -4
    CC_g1_w1_i2_t4  eq17_C_g1_w1_i2  1
    CC_g1_w1_i2_t4  eq12_g1_w1  4
    CC_g1_w1_i2_t4  eq36_g1_w1_t4  1
    LS_g1_w2_i1_t1  eq14_t1   1
    LS_g1_w2_i1_t1  eq40_L_t1  1
    LS_g1_w2_i1_t1  eq41_L_t1  -1
    LS_g1_w2_i1_t1  eq16_L_g1_w2_t1  1
    LS_g1_w2_i1_t1  eq17_L_g1_w2_i1  1
    LS_g1_w2_i1_t1  eq18_g1_w2_i1  1
    LS_g1_w2_i1_t1  eq33_g1_w2_t1  1
    LS_g1_w2_i1_t1  eq33_g1_w2_t2  1
    LS_g1_w2_i1_t1  eq33_g1_w2_t3  1
    LS_g1_w2_i1_t1  eq33_g1_w2_t4  1
    LS_g1_w2_i1_t1  eq36_g1_w2_t1  1
    LS_g1_w2_i1_t2  eq14_t2   1
    LS_g1_w2_i1_t2  eq40_L_t2  1
    LS_g1_w2_i1_t2  eq41_L_t2  -1
    LS_g1_w2_i1_t2  eq16_L_g1_w2_t2  1
    LS_g1_w2_i1_t2  eq17_L_g1_w2_i1  1
    LS_g1_w2_i1_t2  eq18_g1_w2_i1  2
    LS_g1_w2_i1_t2  eq33_g1_w2_t2  1
    LS_g1_w2_i1_t2  eq33_g1_w2_t3  1
    LS_g1_w2_i1_t2  eq33_g1_w2_t4  1
    LS_g1_w2_i1_t2  eq36_g1_w2_t1  1
    LS_g1_w2_i1_t2  eq36_g1_w2_t2  1
    LS_g1_w2_i1_t3  eq14_t3   1
    LS_g1_w2_i1_t3  eq40_L_t3  1
    LS_g1_w2_i1_t3  eq41_L_t3  -1
    LS_g1_w2_i1_t3  eq16_L_g1_w2_t3  1
    LS_g1_w2_i1_t3  eq17_L_g1_w2_i1  1
    LS_g1_w2_i1_t3  eq18_g1_w2_i1  3
    LS_g1_w2_i1_t3  eq33_g1_w2_t3  1
    LS_g1_w2_i1_t3  eq33_g1_w2_t4  1
    LS_g1_w2_i1_t3  eq36_g1_w2_t1  1
    LS_g1_w2_i1_t3  eq36_g1_w2_t2  1
    LS_g1_w2_i1_t3  eq36_g1_w2_t3  1
    LS_g1_w2_i1_t4  eq14_t4   1
    LS_g1_w2_i1_t4  eq40_L_t4  1
    LS_g1_w2_i1_t4  eq41_L_t4  -1
    LS_g1_w2_i1_t4  eq16_L_g1_w2_t4  1
    LS_g1_w2_i1_t4  eq17_L_g1_w2_i1  1
    LS_g1_w2_i1_t4  eq18_g1_w2_i1  4
    LS_g1_w2_i1_t4  eq33_g1_w2_t4  1
    LS_g1_w2_i1_t4  eq36_g1_w2_t1  1
    LS_g1_w2_i1_t4  eq36_g1_w2_t2  1
    LS_g1_w2_i1_t4  eq36_g1_w2_t3  1
    LS_g1_w2_i1_t4  eq36_g1_w2_t4  1
    CC_g1_w2_i1_t1  eq15_t1   1
    CC_g1_w2_i1_t1  eq40_C_t1  1
    CC_g1_w2_i1_t1  eq41_C_t1  -1
    CC_g1_w2_i1_t1  eq16_C_g1_w2_t1  1
    CC_g1_w2_i1_t1  eq17_C_g1_w2_i1  1
    CC_g1_w2_i1_t1  eq18_g1_w2_i1  1
    CC_g1_w2_i1_t1  eq33_g1_w2_t1  1
    CC_g1_w2_i1_t1  eq33_g1_w2_t2  1
    CC_g1_w2_i1_t1  eq33_g1_w2_t3  1
    CC_g1_w2_i1_t1  eq33_g1_w2_t4  1
    CC_g1_w2_i1_t1  eq36_g1_w2_t1  1
    CC_g1_w2_i1_t2  eq15_t2   1
    CC_g1_w2_i1_t2  eq40_C_t2  1
    CC_g1_w2_i1_t2  eq41_C_t2  -1
    CC_g1_w2_i1_t2  eq16_C_g1_w2_t2  1
    CC_g1_w2_i1_t2  eq17_C_g1_w2_i1  1
    CC_g1_w2_i1_t2  eq18_g1_w2_i1  2
    CC_g1_w2_i1_t2  eq33_g1_w2_t2  1
    CC_g1_w2_i1_t2  eq33_g1_w2_t3  1
    CC_g1_w2_i1_t2  eq33_g1_w2_t4  1
    CC_g1_w2_i1_t2  eq36_g1_w2_t1  1
    CC_g1_w2_i1_t2  eq36_g1_w2_t2  1
    CC_g1_w2_i1_t3  eq15_t3   1
    CC_g1_w2_i1_t3  eq40_C_t3  1
    CC_g1_w2_i1_t3  eq41_C_t3  -1
    CC_g1_w2_i1_t3  eq16_C_g1_w2_t3  1
    CC_g1_w2_i1_t3  eq17_C_g1_w2_i1  1
    CC_g1_w2_i1_t3  eq18_g1_w2_i1  3
    CC_g1_w2_i1_t3  eq33_g1_w2_t3  1
    CC_g1_w2_i1_t3  eq33_g1_w2_t4  1
    CC_g1_w2_i1_t3  eq36_g1_w2_t1  1
    CC_g1_w2_i1_t3  eq36_g1_w2_t2  1
    CC_g1_w2_i1_t3  eq36_g1_w2_t3  1
    CC_g1_w2_i1_t4  eq15_t4   1
    CC_g1_w2_i1_t4  eq40_C_t4  1
    CC_g1_w2_i1_t4  eq41_C_t4  -1
    CC_g1_w2_i1_t4  eq16_C_g1_w2_t4  1
    CC_g1_w2_i1_t4  eq17_C_g1_w2_i1  1
    CC_g1_w2_i1_t4  eq18_g1_w2_i1  4
    CC_g1_w2_i1_t4  eq33_g1_w2_t4  1
    CC_g1_w2_i1_t4  eq36_g1_w2_t1  1
    CC_g1_w2_i1_t4  eq36_g1_w2_t2  1
    CC_g1_w2_i1_t4  eq36_g1_w2_t3  1
    CC_g1_w2_i1_t4  eq36_g1_w2_t4  1
    LS_g1_w2_i2_t1  Obj       1
    LS_g1_w2_i2_t1  eq14_t1   1
    LS_g1_w2_i2_t1  eq40_L_t1  1
    LS_g1_w2_i2_t1  eq41_L_t1  -1
    LS_g1_w2_i2_t1  eq16_L_g1_w2_t1  1
    LS_g1_w2_i2_t1  eq12_g1_w1  -1
    LS_g1_w2_i2_t1  eq18_g1_w2_i1  -1
    LS_g1_w2_i2_t1  eq17_L_g1_w2_i2  1
    LS_g1_w2_i2_t1  eq36_g1_w2_t1  1
    LS_g1_w2_i2_t1  eq36_g1_w2_t2  1
    LS_g1_w2_i2_t1  eq36_g1_w2_t3  1
    LS_g1_w2_i2_t1  eq36_g1_w2_t4  1
    LS_g1_w2_i2_t2  Obj       2
    LS_g1_w2_i2_t2  eq14_t2   1
    LS_g1_w2_i2_t2  eq40_L_t2  1
    LS_g1_w2_i2_t2  eq41_L_t2  -1
    LS_g1_w2_i2_t2  eq16_L_g1_w2_t2  1
    LS_g1_w2_i2_t2  eq12_g1_w1  -2
    LS_g1_w2_i2_t2  eq18_g1_w2_i1  -2
    LS_g1_w2_i2_t2  eq17_L_g1_w2_i2  1
    LS_g1_w2_i2_t2  eq36_g1_w2_t2  1
    LS_g1_w2_i2_t2  eq36_g1_w2_t3  1
    LS_g1_w2_i2_t2  eq36_g1_w2_t4  1
    LS_g1_w2_i2_t3  Obj       3
    LS_g1_w2_i2_t3  eq14_t3   1
    LS_g1_w2_i2_t3  eq40_L_t3  1
    LS_g1_w2_i2_t3  eq41_L_t3  -1
    LS_g1_w2_i2_t3  eq16_L_g1_w2_t3  1
    LS_g1_w2_i2_t3  eq12_g1_w1  -3
    LS_g1_w2_i2_t3  eq18_g1_w2_i1  -3
    LS_g1_w2_i2_t3  eq17_L_g1_w2_i2  1
    LS_g1_w2_i2_t3  eq36_g1_w2_t3  1
    LS_g1_w2_i2_t3  eq36_g1_w2_t4  1
    LS_g1_w2_i2_t4  Obj       4
    LS_g1_w2_i2_t4  eq14_t4   1
    LS_g1_w2_i2_t4  eq40_L_t4  1
    LS_g1_w2_i2_t4  eq41_L_t4  -1
    LS_g1_w2_i2_t4  eq16_L_g1_w2_t4  1
    LS_g1_w2_i2_t4  eq12_g1_w1  -4
    LS_g1_w2_i2_t4  eq18_g1_w2_i1  -4
    LS_g1_w2_i2_t4  eq17_L_g1_w2_i2  1
    LS_g1_w2_i2_t4  eq36_g1_w2_t4  1
    CC_g1_w2_i2_t1  Obj       1
    CC_g1_w2_i2_t1  eq15_t1   1
    CC_g1_w2_i2_t1  eq40_C_t1  1
    CC_g1_w2_i2_t1  eq41_C_t1  -1
    CC_g1_w2_i2_t1  eq16_C_g1_w2_t1  1
    CC_g1_w2_i2_t1  eq12_g1_w1  -1
    CC_g1_w2_i2_t1  eq18_g1_w2_i1  -1
    CC_g1_w2_i2_t1  eq17_C_g1_w2_i2  1
    CC_g1_w2_i2_t1  eq36_g1_w2_t1  1
    CC_g1_w2_i2_t1  eq36_g1_w2_t2  1
    CC_g1_w2_i2_t1  eq36_g1_w2_t3  1
    CC_g1_w2_i2_t1  eq36_g1_w2_t4  1
    CC_g1_w2_i2_t2  Obj       2
    CC_g1_w2_i2_t2  eq15_t2   1
    CC_g1_w2_i2_t2  eq40_C_t2  1
    CC_g1_w2_i2_t2  eq41_C_t2  -1
    CC_g1_w2_i2_t2  eq16_C_g1_w2_t2  1
    CC_g1_w2_i2_t2  eq12_g1_w1  -2
    CC_g1_w2_i2_t2  eq18_g1_w2_i1  -2
    CC_g1_w2_i2_t2  eq17_C_g1_w2_i2  1
    CC_g1_w2_i2_t2  eq36_g1_w2_t2  1
    CC_g1_w2_i2_t2  eq36_g1_w2_t3  1
    CC_g1_w2_i2_t2  eq36_g1_w2_t4  1
    CC_g1_w2_i2_t3  Obj       3
    CC_g1_w2_i2_t3  eq15_t3   1
    CC_g1_w2_i2_t3  eq40_C_t3  1
    CC_g1_w2_i2_t3  eq41_C_t3  -1
    CC_g1_w2_i2_t3  eq16_C_g1_w2_t3  1
    CC_g1_w2_i2_t3  eq12_g1_w1  -3
    CC_g1_w2_i2_t3  eq18_g1_w2_i1  -3
    CC_g1_w2_i2_t3  eq17_C_g1_w2_i2  1
    CC_g1_w2_i2_t3  eq36_g1_w2_t3  1
    CC_g1_w2_i2_t3  eq36_g1_w2_t4  1
    CC_g1_w2_i2_t4  Obj       4
    CC_g1_w2_i2_t4  eq15_t4   1
    CC_g1_w2_i2_t4  eq40_C_t4  1
    CC_g1_w2_i2_t4  eq41_C_t4  -1
    CC_g1_w2_i2_t4  eq16_C_g1_w2_t4  1
    CC_g1_w2_i2_t4  eq12_g1_w1  -4
    CC_g1_w2_i2_t4  eq18_g1_w2_i1  -4
    CC_g1_w2_i2_t4  eq17_C_g1_w2_i2  1
    CC_g1_w2_i2_t4  eq36_g1_w2_t4  1
    E_t1      eq40_L_t1  -1
    E_t1      eq41_L_t1  1
    E_t1      eq33_g1_w1_t1  2
    E_t1      eq33_g1_w2_t1  2
    E_t2      eq40_L_t2  -1
    E_t2      eq41_L_t2  1
    E_t2      eq33_g1_w1_t2  2
    E_t2      eq33_g1_w2_t2  2
    E_t3      eq40_L_t3  -1
    E_t3      eq41_L_t3  1
    E_t3      eq33_g1_w1_t3  2
    E_t3      eq33_g1_w2_t3  2
    E_t4      eq40_L_t4  -1
    E_t4      eq41_L_t4  1
    E_t4      eq33_g1_w1_t4  2
    E_t4      eq33_g1_w2_t4  2
    G_t1      eq40_C_t1  -1
    G_t1      eq41_C_t1  1
    G_t1      eq36_g1_w1_t1  2
    G_t1      eq36_g1_w2_t1  2
    G_t2      eq40_C_t2  -1
    G_t2      eq41_C_t2  1
    G_t2      eq36_g1_w1_t2  2
    G_t2      eq36_g1_w2_t2  2
    G_t3      eq40_C_t3  -1
    G_t3      eq41_C_t3  1
    G_t3      eq36_g1_w1_t3  2
    G_t3      eq36_g1_w2_t3  2
    G_t4      eq40_C_t4  -1
    G_t4      eq41_C_t4  1
    G_t4      eq36_g1_w1_t4  2
    G_t4      eq36_g1_w2_t4  2
    MARK0001  'MARKER'                 'INTEND'
RHS
    RHS_V     eq14_t1   1
    RHS_V     eq15_t1   1
    RHS_V     eq16_L_g1_w1_t1  1
    RHS_V     eq16_C_g1_w1_t1  1
    RHS_V     eq16_L_g1_w2_t1  1
    RHS_V     eq16_C_g1_w2_t1  1
    RHS_V     eq14_t2   1
    RHS_V     eq15_t2   1
    RHS_V     eq16_L_g1_w1_t2  1
    RHS_V     eq16_C_g1_w1_t2  1
    RHS_V     eq16_L_g1_w2_t2  1
    RHS_V     eq16_C_g1_w2_t2  1
    RHS_V     eq14_t3   1
    RHS_V     eq15_t3   1
    RHS_V     eq16_L_g1_w1_t3  1
    RHS_V     eq16_C_g1_w1_t3  1
    RHS_V     eq16_L_g1_w2_t3  1
    RHS_V     eq16_C_g1_w2_t3  1
    RHS_V     eq14_t4   1
    RHS_V     eq15_t4   1
    RHS_V     eq16_L_g1_w1_t4  1
    RHS_V     eq16_C_g1_w1_t4  1
    RHS_V     eq16_L_g1_w2_t4  1
    RHS_V     eq16_C_g1_w2_t4  1
    RHS_V     eq17_L_g1_w1_i1  1
    RHS_V     eq18_g1_w1_i1  -1
    RHS_V     eq17_C_g1_w1_i2  1
    RHS_V     eq17_L_g1_w2_i1  1
    RHS_V     eq18_g1_w2_i1  -1
    RHS_V     eq17_C_g1_w2_i2  1
    RHS_V     eq33_g1_w1_t1  1
    RHS_V     eq33_g1_w1_t2  1
    RHS_V     eq33_g1_w1_t3  1
    RHS_V     eq33_g1_w1_t4  1
    RHS_V     eq36_g1_w1_t1  1
    RHS_V     eq36_g1_w1_t2  1
    RHS_V     eq36_g1_w1_t3  1
    RHS_V     eq36_g1_w1_t4  1
    RHS_V     eq33_g1_w2_t1  1
    RHS_V     eq33_g1_w2_t2  1
    RHS_V     eq33_g1_w2_t3  1
    RHS_V     eq33_g1_w2_t4  1
    RHS_V     eq36_g1_w2_t1  1
    RHS_V     eq36_g1_w2_t2  1
    RHS_V     eq36_g1_w2_t3  1
    RHS_V     eq36_g1_w2_t4  1
BOUNDS
 BV BOUND     LS_g1_w1_i1_t1
 BV BOUND     LS_g1_w1_i1_t2
 BV BOUND     LS_g1_w1_i1_t3
 BV BOUND     LS_g1_w1_i1_t4
 BV BOUND     CC_g1_w1_i1_t1
 BV BOUND     CC_g1_w1_i1_t2
 BV BOUND     CC_g1_w1_i1_t3
 BV BOUND     CC_g1_w1_i1_t4
 BV BOUND     LS_g1_w1_i2_t1
 BV BOUND     LS_g1_w1_i2_t2
 BV BOUND     LS_g1_w1_i2_t3
 BV BOUND     LS_g1_w1_i2_t4
 BV BOUND     CC_g1_w1_i2_t1
 BV BOUND     CC_g1_w1_i2_t2
 BV BOUND     CC_g1_w1_i2_t3
 BV BOUND     CC_g1_w1_i2_t4
 BV BOUND     LS_g1_w2_i1_t1
 BV BOUND     LS_g1_w2_i1_t2
 BV BOUND     LS_g1_w2_i1_t3
 BV BOUND     LS_g1_w2_i1_t4
 BV BOUND     CC_g1_w2_i1_t1
 BV BOUND     CC_g1_w2_i1_t2
 BV BOUND     CC_g1_w2_i1_t3
 BV BOUND     CC_g1_w2_i1_t4
 BV BOUND     LS_g1_w2_i2_t1
 BV BOUND     LS_g1_w2_i2_t2
 BV BOUND     LS_g1_w2_i2_t3
 BV BOUND     LS_g1_w2_i2_t4
 BV BOUND     CC_g1_w2_i2_t1
 BV BOUND     CC_g1_w2_i2_t2
 BV BOUND     CC_g1_w2_i2_t3
 BV BOUND     CC_g1_w2_i2_t4
 BV BOUND     E_t1    
 BV BOUND     E_t2    
 BV BOUND     E_t3    
 BV BOUND     E_t4    
 BV BOUND     G_t1    
 BV BOUND     G_t2    
 BV BOUND     G_t3    
 BV BOUND     G_t4    
ENDATA
