#include <lang/cmu_us_slt/cmu_us_slt_cg_durmodel.c>
