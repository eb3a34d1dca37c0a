# FLINT and Arb as gpe::flint and gpe::arb; also part of the installed package.
find_path(FLINT_INCLUDE_DIR flint/fmpq.h REQUIRED)
find_library(FLINT_LIBRARY flint REQUIRED)
find_library(GMP_LIBRARY gmp REQUIRED)    # FLINT's and Arb's headers call both directly
find_library(MPFR_LIBRARY mpfr REQUIRED)
find_path(ARB_INCLUDE_DIR NAMES arb.h flint/arb.h REQUIRED)
find_library(ARB_LIBRARY NAMES flint-arb arb flint REQUIRED)  # FLINT 3 holds Arb

if(NOT TARGET gpe::flint)
  add_library(gpe::flint INTERFACE IMPORTED GLOBAL)
  target_include_directories(gpe::flint INTERFACE "${FLINT_INCLUDE_DIR}" "${FLINT_INCLUDE_DIR}/flint")
  target_link_libraries(gpe::flint INTERFACE "${FLINT_LIBRARY}" "${MPFR_LIBRARY}" "${GMP_LIBRARY}")
  add_library(gpe::arb INTERFACE IMPORTED GLOBAL)
  target_include_directories(gpe::arb INTERFACE "${ARB_INCLUDE_DIR}")
  target_link_libraries(gpe::arb INTERFACE "${ARB_LIBRARY}" gpe::flint)
endif()
