# LibTorch out of the PyPI wheel, as gpe::torch: its C++ libraries for the CPU, found without its own CMake files, which would
# ask for a CUDA toolkit. Programs find it through their run path.
set(GPE_TORCH "" CACHE PATH "The folder of the Python package torch (lib/ and include/); default: that of .venv")
set(gpe_torch_version 2.11)         # model/: the C++ interface of one version
set(gpe_torch_stable_version 2.10)  # the Python package alone: the stable interface, from this version on

set(torch_folder "${GPE_TORCH}")
if(NOT torch_folder)
  file(GLOB torch_folder "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/torch")
endif()
if(GPE_MODEL)
  set(expected_torch "${gpe_torch_version}")
else()
  set(expected_torch "${gpe_torch_stable_version} or later")
endif()
if(NOT EXISTS "${torch_folder}/lib/libtorch_cpu.so")
  message(FATAL_ERROR "GPE_MODEL and GPE_PYTHON need LibTorch: ./setup.sh --model installs it into .venv; "
                      "or set GPE_TORCH to the folder of an installed Python package torch, ${expected_torch}")
endif()
file(STRINGS "${torch_folder}/version.py" found_version REGEX "^__version__ = ")
string(REGEX MATCH "[0-9]+[.][0-9]+" found_version "${found_version}")
if((GPE_MODEL AND NOT found_version VERSION_EQUAL gpe_torch_version) OR found_version VERSION_LESS gpe_torch_stable_version)
  message(FATAL_ERROR "${torch_folder}: torch ${found_version}; expected ${expected_torch}")
endif()

foreach(library c10 torch_cpu gomp)  # gomp: its OpenMP, which may not be there twice
  file(GLOB found_library "${torch_folder}/lib/lib${library}.so*")
  add_library(gpe::${library} SHARED IMPORTED GLOBAL)
  set_target_properties(gpe::${library} PROPERTIES IMPORTED_LOCATION "${found_library}")
endforeach()
add_library(gpe::torch INTERFACE IMPORTED GLOBAL)
target_include_directories(gpe::torch SYSTEM INTERFACE "${torch_folder}/include"
                                                       "${torch_folder}/include/torch/csrc/api/include")
target_link_libraries(gpe::torch INTERFACE gpe::torch_cpu gpe::c10 gpe::gomp)
# Installed or not, a target finds it by the same run path. If the build tree had a longer one, installation would keep its beginning and fill
# the rest with ":", and an empty entry means the current folder.
function(gpe_finds_torch target)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${torch_folder}/lib" BUILD_WITH_INSTALL_RPATH ON)
endfunction()

# Its libraries for NVIDIA devices, as gpe::torch_cuda, where the wheel and CUDA's headers are there: those of a toolkit of its
# version, or of the wheel nvidia-cuda-runtime, as nccl.h of nvidia-nccl.
get_filename_component(torch_packages "${torch_folder}" DIRECTORY)
find_path(GPE_CUDA_HEADERS cuda_runtime_api.h PATHS "${torch_packages}/nvidia/cu13/include" ENV CUDA_HOME
          /usr/local/cuda/include PATH_SUFFIXES include NO_DEFAULT_PATH)
find_path(GPE_NCCL_HEADERS nccl.h PATHS "${torch_packages}/nvidia/nccl/include" NO_DEFAULT_PATH)
find_path(GPE_NCCL_HEADERS nccl.h)
if(EXISTS "${torch_folder}/lib/libtorch_cuda.so" AND GPE_CUDA_HEADERS AND GPE_NCCL_HEADERS)
  foreach(library c10_cuda torch_cuda)
    add_library(gpe::lib${library} SHARED IMPORTED GLOBAL)
    set_target_properties(gpe::lib${library} PROPERTIES IMPORTED_LOCATION "${torch_folder}/lib/lib${library}.so")
  endforeach()
  add_library(gpe::torch_cuda INTERFACE IMPORTED GLOBAL)
  target_include_directories(gpe::torch_cuda SYSTEM INTERFACE "${GPE_CUDA_HEADERS}" "${GPE_NCCL_HEADERS}")
  # Nothing refers to libtorch_cuda.so but the tables of operators that it fills; and what it needs itself is found by its own run path.
  target_link_libraries(gpe::torch_cuda INTERFACE gpe::torch -Wl,--no-as-needed gpe::libtorch_cuda gpe::libc10_cuda
                                                  -Wl,--as-needed -Wl,--allow-shlib-undefined)
endif()
message(STATUS "LibTorch: ${torch_folder}")
