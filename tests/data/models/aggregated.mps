NAME        
OBJSENSE
  MAX
ROWS
 N  Obj     
 L  crowd_g1_k1_i1_t1
 L  stay_g1_k1_i2_t2
 L  order_g1_k1_i2_t2
 L  crowd_g1_k1_i2_t2
 L  stay_g1_k1_i2_t3
 L  order_g1_k1_i2_t3
 L  crowd_g1_k1_i2_t3
 L  stay_g1_k1_i2_t4
 L  stay_g1_k1_i3_t3
 L  order_g1_k1_i3_t3
 L  crowd_g1_k1_i3_t3
 L  stay_g1_k1_i3_t4
 L  order_g1_k1_i3_t4
 L  crowd_g1_k1_i3_t4
 L  stay_g1_k1_i3_t5
 L  stay_g1_k2_i1_t2
 L  crowd_g1_k2_i1_t2
 L  stay_g1_k2_i1_t3
 L  crowd_g1_k2_i1_t3
 L  stay_g1_k2_i1_t4
 L  stay_g1_k2_i2_t3
 L  order_g1_k2_i2_t3
 L  crowd_g1_k2_i2_t3
 L  stay_g1_k2_i2_t4
 L  order_g1_k2_i2_t4
 L  crowd_g1_k2_i2_t4
 L  stay_g1_k2_i2_t5
 L  stay_g1_k2_i3_t4
 L  order_g1_k2_i3_t4
 L  crowd_g1_k2_i3_t4
 L  stay_g1_k2_i3_t5
 L  order_g1_k2_i3_t5
 L  crowd_g1_k2_i3_t5
 L  stay_g1_k2_i3_t6
 L  stay_g1_k3_i1_t3
 L  stay_g1_k3_i1_t4
 L  stay_g1_k3_i1_t5
 L  stay_g1_k3_i2_t4
 L  order_g1_k3_i2_t4
 L  stay_g1_k3_i2_t5
 L  order_g1_k3_i2_t5
 L  stay_g1_k3_i2_t6
 L  stay_g1_k3_i3_t6
 L  order_g1_k3_i3_t6
 L  stay_g1_k3_i3_t7
 E  capacity_L_t1
 L  conserve_L_g1_k2_t1
 L  conserve_L_g1_k3_t1
 E  capacity_C_t1
 E  capacity_L_t2
 L  conserve_L_g1_k2_t2
 L  conserve_L_g1_k3_t2
 E  capacity_C_t2
 L  conserve_C_g1_k1_t2
 E  capacity_L_t3
 L  conserve_L_g1_k1_t3
 L  conserve_L_g1_k2_t3
 L  conserve_L_g1_k3_t3
 E  capacity_C_t3
 L  conserve_C_g1_k1_t3
 L  conserve_C_g1_k2_t3
 E  capacity_L_t4
 L  conserve_L_g1_k1_t4
 L  conserve_L_g1_k2_t4
 L  conserve_L_g1_k3_t4
 E  capacity_C_t4
 L  conserve_C_g1_k2_t4
 L  conserve_C_g1_k3_t4
 E  capacity_L_t5
 L  conserve_L_g1_k2_t5
 L  conserve_L_g1_k3_t5
 E  capacity_C_t5
 L  conserve_C_g1_k3_t5
 E  capacity_L_t6
 L  conserve_L_g1_k3_t6
 E  capacity_C_t6
 E  capacity_L_t7
 E  capacity_C_t7
COLUMNS
    MARK0000  'MARKER'                 'INTORG'
    z_g1_k1_i2_t2  stay_g1_k1_i2_t2  -1
    z_g1_k1_i2_t2  order_g1_k1_i2_t2  1
    z_g1_k1_i2_t2  crowd_g1_k1_i2_t2  -1
    z_g1_k1_i2_t2  stay_g1_k1_i2_t3  1
    z_g1_k1_i2_t2  order_g1_k1_i3_t3  -1
    z_g1_k1_i2_t2  capacity_C_t2  1
    z_g1_k1_i2_t2  conserve_L_g1_k1_t3  1
    z_g1_k1_i2_t2  capacity_C_t3  -1
    z_g1_k1_i2_t2  conserve_C_g1_k1_t3  -1
    z_g1_k1_i2_t3  stay_g1_k1_i2_t3  -1
    z_g1_k1_i2_t3  order_g1_k1_i2_t3  1
    z_g1_k1_i2_t3  crowd_g1_k1_i2_t3  -1
    z_g1_k1_i2_t3  stay_g1_k1_i2_t4  1
    z_g1_k1_i2_t3  order_g1_k1_i3_t4  -1
    z_g1_k1_i2_t3  capacity_C_t3  1
    z_g1_k1_i2_t3  conserve_L_g1_k1_t4  1
    z_g1_k1_i2_t3  capacity_C_t4  -1
    z_g1_k1_i3_t3  stay_g1_k1_i3_t3  -1
    z_g1_k1_i3_t3  order_g1_k1_i3_t3  1
    z_g1_k1_i3_t3  crowd_g1_k1_i3_t3  -1
    z_g1_k1_i3_t3  stay_g1_k1_i3_t4  1
    z_g1_k1_i3_t3  capacity_L_t3  1
    z_g1_k1_i3_t3  capacity_L_t4  -1
    z_g1_k1_i3_t3  conserve_L_g1_k1_t4  -1
    z_g1_k1_i3_t4  stay_g1_k1_i3_t4  -1
    z_g1_k1_i3_t4  order_g1_k1_i3_t4  1
    z_g1_k1_i3_t4  crowd_g1_k1_i3_t4  -1
    z_g1_k1_i3_t4  stay_g1_k1_i3_t5  1
    z_g1_k1_i3_t4  capacity_L_t4  1
    z_g1_k1_i3_t4  capacity_L_t5  -1
    z_g1_k2_i1_t2  crowd_g1_k1_i1_t1  1
    z_g1_k2_i1_t2  stay_g1_k2_i1_t2  -1
    z_g1_k2_i1_t2  crowd_g1_k2_i1_t2  -1
    z_g1_k2_i1_t2  stay_g1_k2_i1_t3  1
    z_g1_k2_i1_t2  order_g1_k2_i2_t3  -1
    z_g1_k2_i1_t2  capacity_L_t2  1
    z_g1_k2_i1_t2  capacity_L_t3  -1
    z_g1_k2_i1_t2  conserve_L_g1_k2_t3  -1
    z_g1_k2_i1_t2  conserve_C_g1_k2_t3  1
    z_g1_k2_i1_t3  stay_g1_k2_i1_t3  -1
    z_g1_k2_i1_t3  crowd_g1_k2_i1_t3  -1
    z_g1_k2_i1_t3  stay_g1_k2_i1_t4  1
    z_g1_k2_i1_t3  order_g1_k2_i2_t4  -1
    z_g1_k2_i1_t3  capacity_L_t3  1
    z_g1_k2_i1_t3  capacity_L_t4  -1
    z_g1_k2_i1_t3  conserve_L_g1_k2_t4  -1
    z_g1_k2_i1_t3  conserve_C_g1_k2_t4  1
    z_g1_k2_i2_t3  crowd_g1_k1_i2_t2  1
    z_g1_k2_i2_t3  stay_g1_k2_i2_t3  -1
    z_g1_k2_i2_t3  order_g1_k2_i2_t3  1
    z_g1_k2_i2_t3  crowd_g1_k2_i2_t3  -1
    z_g1_k2_i2_t3  stay_g1_k2_i2_t4  1
    z_g1_k2_i2_t3  order_g1_k2_i3_t4  -1
    z_g1_k2_i2_t3  capacity_C_t3  1
    z_g1_k2_i2_t3  conserve_L_g1_k2_t4  1
    z_g1_k2_i2_t3  capacity_C_t4  -1
    z_g1_k2_i2_t3  conserve_C_g1_k2_t4  -1
    z_g1_k2_i2_t4  crowd_g1_k1_i2_t3  1
    z_g1_k2_i2_t4  stay_g1_k2_i2_t4  -1
    z_g1_k2_i2_t4  order_g1_k2_i2_t4  1
    z_g1_k2_i2_t4  crowd_g1_k2_i2_t4  -1
    z_g1_k2_i2_t4  stay_g1_k2_i2_t5  1
    z_g1_k2_i2_t4  order_g1_k2_i3_t5  -1
    z_g1_k2_i2_t4  capacity_C_t4  1
    z_g1_k2_i2_t4  conserve_L_g1_k2_t5  1
    z_g1_k2_i2_t4  capacity_C_t5  -1
    z_g1_k2_i3_t4  crowd_g1_k1_i3_t3  1
    z_g1_k2_i3_t4  stay_g1_k2_i3_t4  -1
    z_g1_k2_i3_t4  order_g1_k2_i3_t4  1
    z_g1_k2_i3_t4  crowd_g1_k2_i3_t4  -1
    z_g1_k2_i3_t4  stay_g1_k2_i3_t5  1
    z_g1_k2_i3_t4  capacity_L_t4  1
    z_g1_k2_i3_t4  capacity_L_t5  -1
    z_g1_k2_i3_t4  conserve_L_g1_k2_t5  -1
    z_g1_k2_i3_t5  crowd_g1_k1_i3_t4  1
    z_g1_k2_i3_t5  stay_g1_k2_i3_t5  -1
    z_g1_k2_i3_t5  order_g1_k2_i3_t5  1
    z_g1_k2_i3_t5  crowd_g1_k2_i3_t5  -1
    z_g1_k2_i3_t5  stay_g1_k2_i3_t6  1
    z_g1_k2_i3_t5  capacity_L_t5  1
    z_g1_k2_i3_t5  capacity_L_t6  -1
    z_g1_k3_i1_t3  crowd_g1_k2_i1_t2  1
    z_g1_k3_i1_t3  stay_g1_k3_i1_t3  -1
    z_g1_k3_i1_t3  stay_g1_k3_i1_t4  1
    z_g1_k3_i1_t3  order_g1_k3_i2_t4  -1
    z_g1_k3_i1_t3  capacity_L_t3  1
    z_g1_k3_i1_t3  capacity_L_t4  -1
    z_g1_k3_i1_t3  conserve_L_g1_k3_t4  -1
    z_g1_k3_i1_t3  conserve_C_g1_k3_t4  1
    z_g1_k3_i1_t4  crowd_g1_k2_i1_t3  1
    z_g1_k3_i1_t4  stay_g1_k3_i1_t4  -1
    z_g1_k3_i1_t4  stay_g1_k3_i1_t5  1
    z_g1_k3_i1_t4  order_g1_k3_i2_t5  -1
    z_g1_k3_i1_t4  capacity_L_t4  1
    z_g1_k3_i1_t4  capacity_L_t5  -1
    z_g1_k3_i1_t4  conserve_L_g1_k3_t5  -1
    z_g1_k3_i1_t4  conserve_C_g1_k3_t5  1
    z_g1_k3_i2_t4  crowd_g1_k2_i2_t3  1
    z_g1_k3_i2_t4  stay_g1_k3_i2_t4  -1
    z_g1_k3_i2_t4  order_g1_k3_i2_t4  1
    z_g1_k3_i2_t4  stay_g1_k3_i2_t5  1
    z_g1_k3_i2_t4  capacity_C_t4  1
    z_g1_k3_i2_t4  conserve_L_g1_k3_t5  1
    z_g1_k3_i2_t4  capacity_C_t5  -1
    z_g1_k3_i2_t4  conserve_C_g1_k3_t5  -1
    z_g1_k3_i2_t5  crowd_g1_k2_i2_t4  1
    z_g1_k3_i2_t5  stay_g1_k3_i2_t5  -1
    z_g1_k3_i2_t5  order_g1_k3_i2_t5  1
    z_g1_k3_i2_t5  stay_g1_k3_i2_t6  1
    z_g1_k3_i2_t5  order_g1_k3_i3_t6  -1
    z_g1_k3_i2_t5  capacity_C_t5  1
    z_g1_k3_i2_t5  conserve_L_g1_k3_t6  1
    z_g1_k3_i2_t5  capacity_C_t6  -1
    z_g1_k3_i3_t6  Obj       -1
    z_g1_k3_i3_t6  crowd_g1_k2_i3_t5  1
    z_g1_k3_i3_t6  stay_g1_k3_i3_t6  -1
    z_g1_k3_i3_t6  order_g1_k3_i3_t6  1
    z_g1_k3_i3_t6  stay_g1_k3_i3_t7  1
    z_g1_k3_i3_t6  capacity_L_t6  1
    z_g1_k3_i3_t6  capacity_L_t7  -1
    MARK0001  'MARKER'                 'INTEND'
    n_L_t1    capacity_L_t1  -1
    n_L_t1    conserve_L_g1_k2_t1  -1
    n_L_t1    conserve_L_g1_k3_t1  -1
    n_L_t2    capacity_L_t2  -1
    n_L_t2    conserve_L_g1_k2_t2  -1
    n_L_t2    conserve_L_g1_k3_t2  -1
    n_L_t3    capacity_L_t3  -1
    n_L_t3    conserve_L_g1_k1_t3  -1
    n_L_t3    conserve_L_g1_k2_t3  -1
    n_L_t3    conserve_L_g1_k3_t3  -1
    n_L_t4    capacity_L_t4  -1
    n_L_t4    conserve_L_g1_k1_t4  -1
    n_L_t4    conserve_L_g1_k2_t4  -1
    n_L_t4    conserve_L_g1_k3_t4  -1
    n_L_t5    capacity_L_t5  -1
    n_L_t5    conserve_L_g1_k2_t5  -1
    n_L_t5    conserve_L_g1_k3_t5  -1
    n_L_t6    capacity_L_t6  -1
    n_L_t6    conserve_L_g1_k3_t6  -1
    n_L_t7    capacity_L_t7  -1
    n_C_t1    capacity_C_t1  -1
    n_C_t2    capacity_C_t2  -1
    n_C_t2    conserve_C_g1_k1_t2  -1
    n_C_t3    capacity_C_t3  -1
    n_C_t3    conserve_C_g1_k1_t3  -1
    n_C_t3    conserve_C_g1_k2_t3  -1
    n_C_t4    capacity_C_t4  -1
    n_C_t4    conserve_C_g1_k2_t4  -1
    n_C_t4    conserve_C_g1_k3_t4  -1
    n_C_t5    capacity_C_t5  -1
    n_C_t5    conserve_C_g1_k3_t5  -1
    n_C_t6    capacity_C_t6  -1
    n_C_t7    capacity_C_t7  -1
RHS
    RHS_V     Obj       -7
    RHS_V     crowd_g1_k1_i1_t1  1
    RHS_V     order_g1_k1_i2_t2  1
    RHS_V     order_g1_k1_i2_t3  1
    RHS_V     stay_g1_k1_i2_t4  1
    RHS_V     stay_g1_k1_i3_t5  1
    RHS_V     stay_g1_k2_i1_t4  1
    RHS_V     stay_g1_k2_i2_t5  1
    RHS_V     stay_g1_k2_i3_t6  1
    RHS_V     stay_g1_k3_i1_t5  1
    RHS_V     stay_g1_k3_i2_t6  1
    RHS_V     stay_g1_k3_i3_t7  1
    RHS_V     capacity_L_t1  -1
    RHS_V     conserve_L_g1_k2_t1  -1
    RHS_V     conserve_L_g1_k3_t1  -1
    RHS_V     conserve_L_g1_k2_t2  -1
    RHS_V     conserve_L_g1_k3_t2  -1
    RHS_V     conserve_C_g1_k1_t2  -1
    RHS_V     conserve_L_g1_k2_t3  -1
    RHS_V     conserve_L_g1_k3_t3  -1
    RHS_V     conserve_C_g1_k1_t3  -1
    RHS_V     capacity_L_t4  -1
    RHS_V     conserve_L_g1_k2_t4  -1
    RHS_V     conserve_L_g1_k3_t4  -1
    RHS_V     capacity_C_t4  -1
    RHS_V     capacity_L_t5  -2
    RHS_V     conserve_L_g1_k3_t5  -1
    RHS_V     capacity_C_t5  -1
    RHS_V     capacity_L_t6  -1
    RHS_V     capacity_C_t6  -1
    RHS_V     capacity_L_t7  -1
BOUNDS
 BV BOUND     z_g1_k1_i2_t2
 BV BOUND     z_g1_k1_i2_t3
 BV BOUND     z_g1_k1_i3_t3
 BV BOUND     z_g1_k1_i3_t4
 BV BOUND     z_g1_k2_i1_t2
 BV BOUND     z_g1_k2_i1_t3
 BV BOUND     z_g1_k2_i2_t3
 BV BOUND     z_g1_k2_i2_t4
 BV BOUND     z_g1_k2_i3_t4
 BV BOUND     z_g1_k2_i3_t5
 BV BOUND     z_g1_k3_i1_t3
 BV BOUND     z_g1_k3_i1_t4
 BV BOUND     z_g1_k3_i2_t4
 BV BOUND     z_g1_k3_i2_t5
 BV BOUND     z_g1_k3_i3_t6
 UP BOUND     n_L_t1    1
 UP BOUND     n_L_t2    1
 UP BOUND     n_L_t3    1
 UP BOUND     n_L_t4    1
 UP BOUND     n_L_t5    1
 UP BOUND     n_L_t6    1
 UP BOUND     n_L_t7    1
 UP BOUND     n_C_t1    1
 UP BOUND     n_C_t2    1
 UP BOUND     n_C_t3    1
 UP BOUND     n_C_t4    1
 UP BOUND     n_C_t5    1
 UP BOUND     n_C_t6    1
 UP BOUND     n_C_t7    1
ENDATA
