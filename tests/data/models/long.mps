NAME        
OBJSENSE
  MAX
ROWS
 N  Obj     
 L  eq14_t1 
 L  eq40_L_t1
 L  eq41_L_t1
 L  eq40_C_t1
 L  eq41_C_t1
 L  eq16_g1_w1_t1
 L  eq14_t2 
 L  eq40_L_t2
 L  eq41_L_t2
 L  eq15_t2 
 L  eq40_C_t2
 L  eq41_C_t2
 L  eq16_g1_w1_t2
 L  eq16_g1_w2_t2
 L  eq14_t3 
 L  eq40_L_t3
 L  eq41_L_t3
 L  eq15_t3 
 L  eq40_C_t3
 L  eq41_C_t3
 L  eq16_g1_w1_t3
 L  eq16_g1_w2_t3
 L  eq16_g1_w3_t3
 L  eq14_t4 
 L  eq40_L_t4
 L  eq41_L_t4
 L  eq15_t4 
 L  eq40_C_t4
 L  eq41_C_t4
 L  eq16_g1_w1_t4
 L  eq16_g1_w2_t4
 L  eq16_g1_w3_t4
 L  eq14_t5 
 L  eq40_L_t5
 L  eq41_L_t5
 L  eq15_t5 
 L  eq40_C_t5
 L  eq41_C_t5
 L  eq16_g1_w1_t5
 L  eq16_g1_w2_t5
 L  eq16_g1_w3_t5
 L  eq14_t6 
 L  eq40_L_t6
 L  eq41_L_t6
 L  eq15_t6 
 L  eq40_C_t6
 L  eq41_C_t6
 L  eq16_g1_w2_t6
 L  eq16_g1_w3_t6
 L  eq14_t7 
 L  eq40_L_t7
 L  eq41_L_t7
 L  eq40_C_t7
 L  eq41_C_t7
 L  eq16_g1_w3_t7
 E  eq17_L_g1_w1_i1
 L  eq18_g1_w1_i1
 E  eq17_C_g1_w1_i2
 L  eq18_g1_w1_i2
 E  eq17_L_g1_w1_i3
 L  order_g1_w1_i1_w2
 L  order_g1_w1_i2_w2
 L  order_g1_w1_i3_w2
 E  eq17_L_g1_w2_i1
 L  eq18_g1_w2_i1
 E  eq17_C_g1_w2_i2
 L  eq18_g1_w2_i2
 E  eq17_L_g1_w2_i3
 L  order_g1_w2_i1_w3
 L  order_g1_w2_i2_w3
 L  order_g1_w2_i3_w3
 E  eq17_L_g1_w3_i1
 L  eq18_g1_w3_i1
 E  eq17_C_g1_w3_i2
 L  eq18_g1_w3_i2
 E  eq17_L_g1_w3_i3
 G  eq33_g1_w1_t3
 G  eq33_g1_w1_t4
 G  eq36_g1_w1_t2
 G  eq36_g1_w1_t3
 G  eq33_g1_w2_t1
 G  eq33_g1_w2_t2
 G  eq33_g1_w2_t3
 G  eq33_g1_w2_t4
 G  eq33_g1_w2_t5
 G  eq36_g1_w2_t3
 G  eq36_g1_w2_t4
 G  eq33_g1_w3_t1
 G  eq33_g1_w3_t2
 G  eq33_g1_w3_t3
 G  eq33_g1_w3_t4
 G  eq33_g1_w3_t5
 G  eq33_g1_w3_t6
 G  eq36_g1_w3_t4
 G  eq36_g1_w3_t5
COLUMNS
    MARK0000  'MARKER'                 'INTORG'
    LS_g1_w1_i1_t1  eq14_t1   1
    LS_g1_w1_i1_t1  eq40_L_t1  1
    LS_g1_w1_i1_t1  eq41_L_t1  -1
    LS_g1_w1_i1_t1  eq16_g1_w1_t1  1
    LS_g1_w1_i1_t1  eq17_L_g1_w1_i1  1
    LS_g1_w1_i1_t1  eq18_g1_w1_i1  1
    LS_g1_w1_i1_t1  order_g1_w1_i1_w2  1
    CC_g1_w1_i2_t2  eq15_t2   1
    CC_g1_w1_i2_t2  eq40_C_t2  1
    CC_g1_w1_i2_t2  eq41_C_t2  -1
    CC_g1_w1_i2_t2  eq16_g1_w1_t2  1
    CC_g1_w1_i2_t2  eq18_g1_w1_i1  -2
    CC_g1_w1_i2_t2  eq17_C_g1_w1_i2  1
    CC_g1_w1_i2_t2  eq18_g1_w1_i2  2
    CC_g1_w1_i2_t2  order_g1_w1_i2_w2  2
    CC_g1_w1_i2_t2  eq36_g1_w1_t2  1
    CC_g1_w1_i2_t2  eq36_g1_w1_t3  1
    CC_g1_w1_i2_t3  eq15_t3   1
    CC_g1_w1_i2_t3  eq40_C_t3  1
    CC_g1_w1_i2_t3  eq41_C_t3  -1
    CC_g1_w1_i2_t3  eq16_g1_w1_t3  1
    CC_g1_w1_i2_t3  eq18_g1_w1_i1  -3
    CC_g1_w1_i2_t3  eq17_C_g1_w1_i2  1
    CC_g1_w1_i2_t3  eq18_g1_w1_i2  3
    CC_g1_w1_i2_t3  order_g1_w1_i2_w2  3
    CC_g1_w1_i2_t3  eq33_g1_w1_t3  1
    CC_g1_w1_i2_t3  eq36_g1_w1_t3  1
    CC_g1_w1_i2_t4  eq15_t4   1
    CC_g1_w1_i2_t4  eq40_C_t4  1
    CC_g1_w1_i2_t4  eq41_C_t4  -1
    CC_g1_w1_i2_t4  eq16_g1_w1_t4  1
    CC_g1_w1_i2_t4  eq18_g1_w1_i1  -4
    CC_g1_w1_i2_t4  eq17_C_g1_w1_i2  1
    CC_g1_w1_i2_t4  eq18_g1_w1_i2  4
    CC_g1_w1_i2_t4  order_g1_w1_i2_w2  4
    CC_g1_w1_i2_t4  eq33_g1_w1_t3  1
    CC_g1_w1_i2_t4  eq33_g1_w1_t4  1
    LS_g1_w1_i3_t3  eq14_t3   1
    LS_g1_w1_i3_t3  eq40_L_t3  1
    LS_g1_w1_i3_t3  eq41_L_t3  -1
    LS_g1_w1_i3_t3  eq16_g1_w1_t3  1
    LS_g1_w1_i3_t3  eq18_g1_w1_i2  -3
    LS_g1_w1_i3_t3  eq17_L_g1_w1_i3  1
    LS_g1_w1_i3_t3  order_g1_w1_i3_w2  3
    LS_g1_w1_i3_t3  eq33_g1_w1_t3  1
    LS_g1_w1_i3_t3  eq33_g1_w1_t4  1
    LS_g1_w1_i3_t4  eq14_t4   1
    LS_g1_w1_i3_t4  eq40_L_t4  1
    LS_g1_w1_i3_t4  eq41_L_t4  -1
    LS_g1_w1_i3_t4  eq16_g1_w1_t4  1
    LS_g1_w1_i3_t4  eq18_g1_w1_i2  -4
    LS_g1_w1_i3_t4  eq17_L_g1_w1_i3  1
    LS_g1_w1_i3_t4  order_g1_w1_i3_w2  4
    LS_g1_w1_i3_t4  eq33_g1_w1_t4  1
    LS_g1_w1_i3_t5  eq14_t5   1
    LS_g1_w1_i3_t5  eq40_L_t5  1
    LS_g1_w1_i3_t5  eq41_L_t5  -1
    LS_g1_w1_i3_t5  eq16_g1_w1_t5  1
    LS_g1_w1_i3_t5  eq18_g1_w1_i2  -5
    LS_g1_w1_i3_t5  eq17_L_g1_w1_i3  1
    LS_g1_w1_i3_t5  order_g1_w1_i3_w2  5
    LS_g1_w2_i1_t2  eq14_t2   1
    LS_g1_w2_i1_t2  eq40_L_t2  1
    LS_g1_w2_i1_t2  eq41_L_t2  -1
    LS_g1_w2_i1_t2  eq16_g1_w2_t2  1
    LS_g1_w2_i1_t2  order_g1_w1_i1_w2  -2
    LS_g1_w2_i1_t2  eq17_L_g1_w2_i1  1
    LS_g1_w2_i1_t2  eq18_g1_w2_i1  2
    LS_g1_w2_i1_t2  order_g1_w2_i1_w3  2
    LS_g1_w2_i1_t2  eq33_g1_w2_t2  1
    LS_g1_w2_i1_t2  eq33_g1_w2_t3  1
    LS_g1_w2_i1_t3  eq14_t3   1
    LS_g1_w2_i1_t3  eq40_L_t3  1
    LS_g1_w2_i1_t3  eq41_L_t3  -1
    LS_g1_w2_i1_t3  eq16_g1_w2_t3  1
    LS_g1_w2_i1_t3  order_g1_w1_i1_w2  -3
    LS_g1_w2_i1_t3  eq17_L_g1_w2_i1  1
    LS_g1_w2_i1_t3  eq18_g1_w2_i1  3
    LS_g1_w2_i1_t3  order_g1_w2_i1_w3  3
    LS_g1_w2_i1_t3  eq33_g1_w2_t3  1
    LS_g1_w2_i1_t3  eq36_g1_w2_t3  1
    LS_g1_w2_i1_t4  eq14_t4   1
    LS_g1_w2_i1_t4  eq40_L_t4  1
    LS_g1_w2_i1_t4  eq41_L_t4  -1
    LS_g1_w2_i1_t4  eq16_g1_w2_t4  1
    LS_g1_w2_i1_t4  order_g1_w1_i1_w2  -4
    LS_g1_w2_i1_t4  eq17_L_g1_w2_i1  1
    LS_g1_w2_i1_t4  eq18_g1_w2_i1  4
    LS_g1_w2_i1_t4  order_g1_w2_i1_w3  4
    LS_g1_w2_i1_t4  eq36_g1_w2_t3  1
    LS_g1_w2_i1_t4  eq36_g1_w2_t4  1
    CC_g1_w2_i2_t3  eq15_t3   1
    CC_g1_w2_i2_t3  eq40_C_t3  1
    CC_g1_w2_i2_t3  eq41_C_t3  -1
    CC_g1_w2_i2_t3  eq16_g1_w2_t3  1
    CC_g1_w2_i2_t3  order_g1_w1_i2_w2  -3
    CC_g1_w2_i2_t3  eq18_g1_w2_i1  -3
    CC_g1_w2_i2_t3  eq17_C_g1_w2_i2  1
    CC_g1_w2_i2_t3  eq18_g1_w2_i2  3
    CC_g1_w2_i2_t3  order_g1_w2_i2_w3  3
    CC_g1_w2_i2_t3  eq36_g1_w2_t3  1
    CC_g1_w2_i2_t3  eq36_g1_w2_t4  1
    CC_g1_w2_i2_t4  eq15_t4   1
    CC_g1_w2_i2_t4  eq40_C_t4  1
    CC_g1_w2_i2_t4  eq41_C_t4  -1
    CC_g1_w2_i2_t4  eq16_g1_w2_t4  1
    CC_g1_w2_i2_t4  order_g1_w1_i2_w2  -4
    CC_g1_w2_i2_t4  eq18_g1_w2_i1  -4
    CC_g1_w2_i2_t4  eq17_C_g1_w2_i2  1
    CC_g1_w2_i2_t4  eq18_g1_w2_i2  4
    CC_g1_w2_i2_t4  order_g1_w2_i2_w3  4
    CC_g1_w2_i2_t4  eq33_g1_w2_t4  1
    CC_g1_w2_i2_t4  eq36_g1_w2_t4  1
    CC_g1_w2_i2_t5  eq15_t5   1
    CC_g1_w2_i2_t5  eq40_C_t5  1
    CC_g1_w2_i2_t5  eq41_C_t5  -1
    CC_g1_w2_i2_t5  eq16_g1_w2_t5  1
    CC_g1_w2_i2_t5  order_g1_w1_i2_w2  -5
    CC_g1_w2_i2_t5  eq18_g1_w2_i1  -5
    CC_g1_w2_i2_t5  eq17_C_g1_w2_i2  1
    CC_g1_w2_i2_t5  eq18_g1_w2_i2  5
    CC_g1_w2_i2_t5  order_g1_w2_i2_w3  5
    CC_g1_w2_i2_t5  eq33_g1_w2_t4  1
    CC_g1_w2_i2_t5  eq33_g1_w2_t5  1
    LS_g1_w2_i3_t4  eq14_t4   1
    LS_g1_w2_i3_t4  eq40_L_t4  1
    LS_g1_w2_i3_t4  eq41_L_t4  -1
    LS_g1_w2_i3_t4  eq16_g1_w2_t4  1
    LS_g1_w2_i3_t4  order_g1_w1_i3_w2  -4
    LS_g1_w2_i3_t4  eq18_g1_w2_i2  -4
    LS_g1_w2_i3_t4  eq17_L_g1_w2_i3  1
    LS_g1_w2_i3_t4  order_g1_w2_i3_w3  4
    LS_g1_w2_i3_t4  eq33_g1_w2_t4  1
    LS_g1_w2_i3_t4  eq33_g1_w2_t5  1
    LS_g1_w2_i3_t5  eq14_t5   1
    LS_g1_w2_i3_t5  eq40_L_t5  1
    LS_g1_w2_i3_t5  eq41_L_t5  -1
    LS_g1_w2_i3_t5  eq16_g1_w2_t5  1
    LS_g1_w2_i3_t5  order_g1_w1_i3_w2  -5
    LS_g1_w2_i3_t5  eq18_g1_w2_i2  -5
    LS_g1_w2_i3_t5  eq17_L_g1_w2_i3  1
    LS_g1_w2_i3_t5  order_g1_w2_i3_w3  5
    LS_g1_w2_i3_t5  eq33_g1_w2_t5  1
    LS_g1_w2_i3_t6  eq14_t6   1
    LS_g1_w2_i3_t6  eq40_L_t6  1
    LS_g1_w2_i3_t6  eq41_L_t6  -1
    LS_g1_w2_i3_t6  eq16_g1_w2_t6  1
    LS_g1_w2_i3_t6  order_g1_w1_i3_w2  -6
    LS_g1_w2_i3_t6  eq18_g1_w2_i2  -6
    LS_g1_w2_i3_t6  eq17_L_g1_w2_i3  1
    LS_g1_w2_i3_t6  order_g1_w2_i3_w3  6
    LS_g1_w3_i1_t3  eq14_t3   1
    LS_g1_w3_i1_t3  eq40_L_t3  1
    LS_g1_w3_i1_t3  eq41_L_t3  -1
    LS_g1_w3_i1_t3  eq16_g1_w3_t3  1
    LS_g1_w3_i1_t3  order_g1_w2_i1_w3  -3
    LS_g1_w3_i1_t3  eq17_L_g1_w3_i1  1
    LS_g1_w3_i1_t3  eq18_g1_w3_i1  3
    LS_g1_w3_i1_t3  eq33_g1_w3_t3  1
    LS_g1_w3_i1_t3  eq33_g1_w3_t4  1
    LS_g1_w3_i1_t4  eq14_t4   1
    LS_g1_w3_i1_t4  eq40_L_t4  1
    LS_g1_w3_i1_t4  eq41_L_t4  -1
    LS_g1_w3_i1_t4  eq16_g1_w3_t4  1
    LS_g1_w3_i1_t4  order_g1_w2_i1_w3  -4
    LS_g1_w3_i1_t4  eq17_L_g1_w3_i1  1
    LS_g1_w3_i1_t4  eq18_g1_w3_i1  4
    LS_g1_w3_i1_t4  eq33_g1_w3_t4  1
    LS_g1_w3_i1_t4  eq36_g1_w3_t4  1
    LS_g1_w3_i1_t5  eq14_t5   1
    LS_g1_w3_i1_t5  eq40_L_t5  1
    LS_g1_w3_i1_t5  eq41_L_t5  -1
    LS_g1_w3_i1_t5  eq16_g1_w3_t5  1
    LS_g1_w3_i1_t5  order_g1_w2_i1_w3  -5
    LS_g1_w3_i1_t5  eq17_L_g1_w3_i1  1
    LS_g1_w3_i1_t5  eq18_g1_w3_i1  5
    LS_g1_w3_i1_t5  eq36_g1_w3_t4  1
    LS_g1_w3_i1_t5  eq36_g1_w3_t5  1
    CC_g1_w3_i2_t4  eq15_t4   1
    CC_g1_w3_i2_t4  eq40_C_t4  1
    CC_g1_w3_i2_t4  eq41_C_t4  -1
    CC_g1_w3_i2_t4  eq16_g1_w3_t4  1
    CC_g1_w3_i2_t4  order_g1_w2_i2_w3  -4
    CC_g1_w3_i2_t4  eq18_g1_w3_i1  -4
    CC_g1_w3_i2_t4  eq17_C_g1_w3_i2  1
    CC_g1_w3_i2_t4  eq18_g1_w3_i2  4
    CC_g1_w3_i2_t4  eq36_g1_w3_t4  1
    CC_g1_w3_i2_t4  eq36_g1_w3_t5  1
    CC_g1_w3_i2_t5  eq15_t5   1
    CC_g1_w3_i2_t5  eq40_C_t5  1
    CC_g1_w3_i2_t5  eq41_C_t5  -1
    CC_g1_w3_i2_t5  eq16_g1_w3_t5  1
    CC_g1_w3_i2_t5  order_g1_w2_i2_w3  -5
    CC_g1_w3_i2_t5  eq18_g1_w3_i1  -5
    CC_g1_w3_i2_t5  eq17_C_g1_w3_i2  1
    CC_g1_w3_i2_t5  eq18_g1_w3_i2  5
    CC_g1_w3_i2_t5  eq33_g1_w3_t5  1
    CC_g1_w3_i2_t5  eq36_g1_w3_t5  1
    CC_g1_w3_i2_t6  eq15_t6   1
    CC_g1_w3_i2_t6  eq40_C_t6  1
    CC_g1_w3_i2_t6  eq41_C_t6  -1
    CC_g1_w3_i2_t6  eq16_g1_w3_t6  1
    CC_g1_w3_i2_t6  order_g1_w2_i2_w3  -6
    CC_g1_w3_i2_t6  eq18_g1_w3_i1  -6
    CC_g1_w3_i2_t6  eq17_C_g1_w3_i2  1
    CC_g1_w3_i2_t6  eq18_g1_w3_i2  6
    CC_g1_w3_i2_t6  eq33_g1_w3_t5  1
    CC_g1_w3_i2_t6  eq33_g1_w3_t6  1
    LS_g1_w3_i3_t6  Obj       6
    LS_g1_w3_i3_t6  eq14_t6   1
    LS_g1_w3_i3_t6  eq40_L_t6  1
    LS_g1_w3_i3_t6  eq41_L_t6  -1
    LS_g1_w3_i3_t6  eq16_g1_w3_t6  1
    LS_g1_w3_i3_t6  order_g1_w2_i3_w3  -6
    LS_g1_w3_i3_t6  eq18_g1_w3_i2  -6
    LS_g1_w3_i3_t6  eq17_L_g1_w3_i3  1
    LS_g1_w3_i3_t6  eq33_g1_w3_t6  1
    LS_g1_w3_i3_t7  Obj       7
    LS_g1_w3_i3_t7  eq14_t7   1
    LS_g1_w3_i3_t7  eq40_L_t7  1
    LS_g1_w3_i3_t7  eq41_L_t7  -1
    LS_g1_w3_i3_t7  eq16_g1_w3_t7  1
    LS_g1_w3_i3_t7  order_g1_w2_i3_w3  -7
    LS_g1_w3_i3_t7  eq18_g1_w3_i2  -7
    LS_g1_w3_i3_t7  eq17_L_g1_w3_i3  1
    E_t1      eq40_L_t1  -1
    E_t1      eq41_L_t1  1
    E_t1      eq33_g1_w2_t1  1
    E_t1      eq33_g1_w3_t1  1
    E_t2      eq40_L_t2  -1
    E_t2      eq41_L_t2  1
    E_t2      eq33_g1_w2_t2  1
    E_t2      eq33_g1_w3_t2  1
    E_t3      eq40_L_t3  -1
    E_t3      eq41_L_t3  1
    E_t3      eq33_g1_w1_t3  1
    E_t3      eq33_g1_w2_t3  1
    E_t3      eq33_g1_w3_t3  1
    E_t4      eq40_L_t4  -1
    E_t4      eq41_L_t4  1
    E_t4      eq33_g1_w1_t4  1
    E_t4      eq33_g1_w2_t4  1
    E_t4      eq33_g1_w3_t4  1
    E_t5      eq40_L_t5  -1
    E_t5      eq41_L_t5  1
    E_t5      eq33_g1_w2_t5  1
    E_t5      eq33_g1_w3_t5  1
    E_t6      eq40_L_t6  -1
    E_t6      eq41_L_t6  1
    E_t6      eq33_g1_w3_t6  1
    E_t7      eq40_L_t7  -1
    E_t7      eq41_L_t7  1
    G_t1      eq40_C_t1  -1
    G_t1      eq41_C_t1  1
    G_t2      eq40_C_t2  -1
    G_t2      eq41_C_t2  1
    G_t2      eq36_g1_w1_t2  1
    G_t3      eq40_C_t3  -1
    G_t3      eq41_C_t3  1
    G_t3      eq36_g1_w1_t3  1
    G_t3      eq36_g1_w2_t3  1
    G_t4      eq40_C_t4  -1
    G_t4      eq41_C_t4  1
    G_t4      eq36_g1_w2_t4  1
    G_t4      eq36_g1_w3_t4  1
    G_t5      eq40_C_t5  -1
    G_t5      eq41_C_t5  1
    G_t5      eq36_g1_w3_t5  1
    G_t6      eq40_C_t6  -1
    G_t6      eq41_C_t6  1
    G_t7      eq40_C_t7  -1
    G_t7      eq41_C_t7  1
    MARK0001  'MARKER'                 'INTEND'
RHS
    RHS_V     eq14_t1   1
    RHS_V     eq16_g1_w1_t1  1
    RHS_V     eq14_t2   1
    RHS_V     eq15_t2   1
    RHS_V     eq16_g1_w1_t2  1
    RHS_V     eq16_g1_w2_t2  1
    RHS_V     eq14_t3   1
    RHS_V     eq15_t3   1
    RHS_V     eq16_g1_w1_t3  1
    RHS_V     eq16_g1_w2_t3  1
    RHS_V     eq16_g1_w3_t3  1
    RHS_V     eq14_t4   1
    RHS_V     eq15_t4   1
    RHS_V     eq16_g1_w1_t4  1
    RHS_V     eq16_g1_w2_t4  1
    RHS_V     eq16_g1_w3_t4  1
    RHS_V     eq14_t5   1
    RHS_V     eq15_t5   1
    RHS_V     eq16_g1_w1_t5  1
    RHS_V     eq16_g1_w2_t5  1
    RHS_V     eq16_g1_w3_t5  1
    RHS_V     eq14_t6   1
    RHS_V     eq15_t6   1
    RHS_V     eq16_g1_w2_t6  1
    RHS_V     eq16_g1_w3_t6  1
    RHS_V     eq14_t7   1
    RHS_V     eq16_g1_w3_t7  1
    RHS_V     eq17_L_g1_w1_i1  1
    RHS_V     eq18_g1_w1_i1  -1
    RHS_V     eq17_C_g1_w1_i2  1
    RHS_V     eq18_g1_w1_i2  -1
    RHS_V     eq17_L_g1_w1_i3  1
    RHS_V     order_g1_w1_i1_w2  -1
    RHS_V     order_g1_w1_i2_w2  -1
    RHS_V     order_g1_w1_i3_w2  -1
    RHS_V     eq17_L_g1_w2_i1  1
    RHS_V     eq18_g1_w2_i1  -1
    RHS_V     eq17_C_g1_w2_i2  1
    RHS_V     eq18_g1_w2_i2  -1
    RHS_V     eq17_L_g1_w2_i3  1
    RHS_V     order_g1_w2_i1_w3  -1
    RHS_V     order_g1_w2_i2_w3  -1
    RHS_V     order_g1_w2_i3_w3  -1
    RHS_V     eq17_L_g1_w3_i1  1
    RHS_V     eq18_g1_w3_i1  -1
    RHS_V     eq17_C_g1_w3_i2  1
    RHS_V     eq18_g1_w3_i2  -1
    RHS_V     eq17_L_g1_w3_i3  1
    RHS_V     eq33_g1_w1_t3  1
    RHS_V     eq33_g1_w1_t4  1
    RHS_V     eq36_g1_w1_t2  1
    RHS_V     eq36_g1_w1_t3  1
    RHS_V     eq33_g1_w2_t1  1
    RHS_V     eq33_g1_w2_t2  1
    RHS_V     eq33_g1_w2_t3  1
    RHS_V     eq33_g1_w2_t4  1
    RHS_V     eq33_g1_w2_t5  1
    RHS_V     eq36_g1_w2_t3  1
    RHS_V     eq36_g1_w2_t4  1
    RHS_V     eq33_g1_w3_t1  1
    RHS_V     eq33_g1_w3_t2  1
    RHS_V     eq33_g1_w3_t3  1
    RHS_V     eq33_g1_w3_t4  1
    RHS_V     eq33_g1_w3_t5  1
    RHS_V     eq33_g1_w3_t6  1
    RHS_V     eq36_g1_w3_t4  1
    RHS_V     eq36_g1_w3_t5  1
BOUNDS
 BV BOUND     LS_g1_w1_i1_t1
 BV BOUND     CC_g1_w1_i2_t2
 BV BOUND     CC_g1_w1_i2_t3
 BV BOUND     CC_g1_w1_i2_t4
 BV BOUND     LS_g1_w1_i3_t3
 BV BOUND     LS_g1_w1_i3_t4
 BV BOUND     LS_g1_w1_i3_t5
 BV BOUND     LS_g1_w2_i1_t2
 BV BOUND     LS_g1_w2_i1_t3
 BV BOUND     LS_g1_w2_i1_t4
 BV BOUND     CC_g1_w2_i2_t3
 BV BOUND     CC_g1_w2_i2_t4
 BV BOUND     CC_g1_w2_i2_t5
 BV BOUND     LS_g1_w2_i3_t4
 BV BOUND     LS_g1_w2_i3_t5
 BV BOUND     LS_g1_w2_i3_t6
 BV BOUND     LS_g1_w3_i1_t3
 BV BOUND     LS_g1_w3_i1_t4
 BV BOUND     LS_g1_w3_i1_t5
 BV BOUND     CC_g1_w3_i2_t4
 BV BOUND     CC_g1_w3_i2_t5
 BV BOUND     CC_g1_w3_i2_t6
 BV BOUND     LS_g1_w3_i3_t6
 BV BOUND     LS_g1_w3_i3_t7
 BV BOUND     E_t1    
 BV BOUND     E_t2    
 BV BOUND     E_t3    
 BV BOUND     E_t4    
 BV BOUND     E_t5    
 BV BOUND     E_t6    
 BV BOUND     E_t7    
 BV BOUND     G_t1    
 BV BOUND     G_t2    
 BV BOUND     G_t3    
 BV BOUND     G_t4    
 BV BOUND     G_t5    
 BV BOUND     G_t6    
 BV BOUND     G_t7    
ENDATA
