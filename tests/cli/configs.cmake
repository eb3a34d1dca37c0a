# config.json files: what they become, and every way not to fit.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")
set(cases "${SOURCE}/tests/cases/configs")
set(program check-properties)

function(refused_config name json message)
  file(WRITE "${WORK}/${name}.json" "${json}")
  refused("${name}.json: ${message}" ${name}.json)
endfunction()

set(llama "\"model_type\": \"llama\", \"hidden_size\": 64, \"num_attention_heads\": 4, \"num_hidden_layers\": 2")
refused_config(no_object "[1]" "expected a JSON object")
foreach(mistake "{|1:2: not JSON: syntax error while parsing object key - unexpected end of input; expected string literal"
                "{\"é\": 1,\n \"é\" 2}|2:6: not JSON: syntax error while parsing object separator"
                "{\"a\": NaN, \"b\" 2}|1:7: not JSON: "
                "MARK{\"a\": 01}|1:8: not JSON: ")
  string(REPLACE "|" ";" mistake "${mistake}")
  list(GET mistake 0 json)
  list(GET mistake 1 message)
  string(ASCII 239 187 191 mark)
  string(REPLACE "MARK" "${mark}" json "${json}")
  file(WRITE "${WORK}/no_json.json" "${json}")
  refused("no_json.json:${message}" no_json.json)
endforeach()
refused_config(no_type "{\"hidden_size\": 64}" "key 'model_type' is missing; expected a string")
refused_config(unknown "{\"model_type\": \"lama\"}" "key 'model_type' is \"lama\", which is not known here; did you mean 'llama'?")
# The types that read most of its keys; --as reads it as one of them, or with other keys.
set(next "\"num_hidden_layers\": 8, \"full_attention_interval\": 4, \"rope_parameters\": {\"rope_type\": \"default\", \"rope_theta\": 10000000}")
refused_config(newer "{\"model_type\": \"newer9\", ${next}}"
               "key 'model_type' is \"newer9\", which is not known here; --as TYPE reads it as a known one; by its keys it is nearest to qwen3_5_moe_text, qwen3_5_text, qwen3_next")
expect(COMMAND check-properties newer.json --as qwen3_next --stack OUT "4, 8      qwen3_next            RoPE      10000000")
file(WRITE "${WORK}/rule.json" "{\"model_type\": \"qwen3_next\", \"full_attention_interval\": 2, \"rope_parameters\": null}")
expect(COMMAND check-properties newer.json --as rule.json --stack OUT "2, 4, 6, 8  qwen3_next            RoPE      10000  none")
# Newer types: AliceAI and BerryLM are Qwen3-Next's formula, GigaChat 3.5 is DeepSeek V3's on the layers that it lists from 0, and Agnes names layers in its own way.
file(WRITE "${WORK}/berry.json" "{\"model_type\": \"berrylm\", ${next}}")
file(WRITE "${WORK}/berry_next.json" "{\"model_type\": \"qwen3_next\", ${next}}")
expect(COMMAND compare-configs berry.json berry_next.json OUT "the same positions")
set(giga "\"num_hidden_layers\": 5, \"num_attention_heads\": 64, \"num_key_value_heads\": 64, \"qk_rope_head_dim\": 64, \"rope_theta\": 100000.0")
file(WRITE "${WORK}/giga.json" "{\"model_type\": \"gigachat3_5\", ${giga}, \"full_attention_layers\": [0, 4]}")
file(WRITE "${WORK}/giga_v3.json" "{\"model_type\": \"deepseek_v3\", ${giga}}")
expect(COMMAND compare-configs giga.json giga_v3.json EXIT 3 OUT "layers 2-4: no attention and deepseek_v3" NOT "layers 1" "5: ")
file(WRITE "${WORK}/agnes.json" "{\"model_type\": \"agnes\", \"text_config\": {\"model_type\": \"qwen3_5_text\", \"num_hidden_layers\": 2, \"layer_types\": [\"agnes_linear_attention\", \"agnes_global_attention\"]}}")
expect(COMMAND check-properties agnes.json --stack OUT "  2       qwen3_5_text")
file(WRITE "${WORK}/alice.json" "{\"model_type\": \"alice_ai\", \"num_hidden_layers\": 8}")
file(WRITE "${WORK}/alice_next.json" "{\"model_type\": \"qwen3_next\", \"num_hidden_layers\": 8, \"rope_theta\": 1000000}")
expect(COMMAND compare-configs alice.json alice_next.json OUT "the same positions")
expect(COMMAND check-properties berry.json --show-encoding OUT "config.json with model_type berrylm, as vLLM reads it")
refused_config(switch "{\"model_type\": \"granite_switch\"}"
               "key 'model_type' is \"granite_switch\", a type newer than transformers 5.23, with two of its layers for a switch of adapters; --as granite reads")
refused_config(giga_none "{\"model_type\": \"gigachat3_5\"}" "no layer of gigachat3_5 has softmax attention; expected one")
refused("--as qwen3_nxt: expected a known model_type, or a .json file with keys; did you mean 'qwen3_next'?" newer.json --as qwen3_nxt)
refused("--as: expected a config.json" alibi --as llama)
refused_config(learned "{\"model_type\": \"gpt2\"}"
               "key 'model_type' is \"gpt2\", a model with learned absolute positions; expected one whose scores are a function of")
refused_config(no_heads "{\"model_type\": \"llama\", \"hidden_size\": 64, \"num_attention_heads\": null}"
               "key 'num_attention_heads' is missing; expected an integer from 1 to 1024")
refused_config(slipped "{\"model_type\": \"llama\", \"rope_scaling\": {\"rope_type\": \"linear\", \"facto\": 4}}"
               "key 'rope_scaling.factor' is missing; expected a number from 1e-06 to 1e+12; did you mean 'facto'?")
refused_config(odd "{\"model_type\": \"llama\", \"hidden_size\": 60, \"num_attention_heads\": 4, \"num_hidden_layers\": 2}"
               "heads of dimension 15; expected an even number from 2")
refused_config(shared "{${llama}, \"num_attention_heads\": 4, \"num_key_value_heads\": 3}"
               "4 heads of queries share 3 of keys; expected a divisor")
refused_config(rope_type "{${llama}, \"rope_scaling\": {\"rope_type\": \"axial\"}}"
               "key 'rope_scaling.rope_type' is \"axial\"; expected one of default, linear, dynamic, yarn, longrope, llama3, proportional")
refused_config(slow "{${llama}, \"max_position_embeddings\": 64, \"rope_scaling\": {\"rope_type\": \"yarn\", \"factor\": 2, \"beta_fast\": 99, \"beta_slow\": 11}}"
               "key 'rope_scaling.beta_slow' is 11; expected at most 7/44 of the training length, as block 0 turns")
refused_config(no_factor "{${llama}, \"rope_parameters\": {\"rope_type\": \"linear\"}}"
               "key 'rope_parameters.factor' is missing; expected a number from 1e-06 to 1e+12")
refused_config(factor_text "{${llama}, \"rope_scaling\": {\"type\": \"linear\", \"factor\": \"2\"}}"
               "key 'rope_scaling.factor' is \"2\"; expected a number")
refused_config(phi "{\"model_type\": \"phi3\", \"hidden_size\": 64, \"num_attention_heads\": 4, \"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": 4}}"
               "key 'rope_scaling.rope_type' is \"linear\"; expected \"default\" or \"longrope\"")
refused_config(short "{${llama}, \"max_position_embeddings\": 64, \"rope_scaling\": {\"type\": \"longrope\", \"short_factor\": [1], \"long_factor\": [2]}}"
               "key 'rope_scaling.short_factor' is [1]; expected 8 numbers, one for each block of 16 coordinates that turn")
refused_config(partial "{${llama}, \"partial_rotary_factor\": 0.2, \"rope_scaling\": {\"type\": \"linear\", \"factor\": 2}}"
               "3 of 16 coordinates turn (partial_rotary_factor); expected an even number")
refused_config(query_bias "{\"model_type\": \"inkling_text\"}" "key 'model_type' is \"inkling_text\", a model with a bias that is linear in the query")
refused_config(no_attention "{\"model_type\": \"bamba\"}" "no layer of bamba has softmax attention; expected one")
refused_config(flat "{\"model_type\": \"mellum\", \"rope_parameters\": {\"rope_type\": \"default\"}}"
               "key 'rope_parameters.full_attention' is missing; expected an object")
refused_config(layers "{\"model_type\": \"qwen2\", \"hidden_size\": 64, \"num_attention_heads\": 4, \"num_hidden_layers\": 2, \"layer_types\": [\"full_attention\"]}"
               "key 'layer_types' is [\"full_attention\"]; expected a list of 2 strings")
refused_config(linear "{\"model_type\": \"qwen3\", \"num_attention_heads\": 4, \"num_hidden_layers\": 2, \"layer_types\": [\"full_attention\", \"linear_attention\"]}"
               "key 'layer_types' has 'linear_attention', which is not a function of a distance; expected full_attention or sliding_attention")
refused_config(llama4 "{\"model_type\": \"llama4_text\", \"num_hidden_layers\": 2, \"layer_types\": [\"sliding_attention\", \"full_attention\"]}"
               "key 'layer_types' has 'sliding_attention', which the code of llama4_text does not have; expected full_attention or chunked_attention")
refused_config(both_ways "{\"model_type\": \"gemma\", \"num_attention_heads\": 4, \"num_hidden_layers\": 4, \"use_bidirectional_attention\": true}"
               "key 'use_bidirectional_attention' is true; expected false: causal attention")
refused_config(mpt_learned "{\"model_type\": \"mpt\", \"d_model\": 64, \"n_heads\": 4, \"n_layers\": 2, \"attn_config\": {\"alibi\": false}}"
               "key 'attn_config.alibi' is false; expected true: without it MPT has learned absolute positions")
refused_config(window "{\"model_type\": \"gemma2\", \"num_attention_heads\": 4, \"num_hidden_layers\": 2, \"sliding_window\": 0}"
               "key 'sliding_window' is 0; expected an integer from 1 to")

# Heads and layers are those of the config.
refused("--heads: a config.json has its own; llama has 32 heads" "${cases}/llama-3.1-8b.json" --heads 8)
refused("--head-dim: a config.json has its own; llama has heads of dimension 128" "${cases}/llama-3.1-8b.json" --head-dim 64)
refused("--layers: a config.json has its own; llama has 32 layers" "${cases}/llama-3.1-8b.json" --layers 2)
refused("--head: a config.json has its own; llama has 32 heads" "${cases}/llama-3.1-8b.json" --head 33)
refused("--show-encoding: alibi is not a config.json; it is an encoding already" alibi --show-encoding)

# A folder stands for its config.json, and what is shown is read again.
file(MAKE_DIRECTORY "${WORK}/model")
file(COPY_FILE "${cases}/llama-3.1-8b.json" "${WORK}/model/config.json")
expect(COMMAND check-properties model --show-encoding OUT "name = \"llama\"" "2*pi*high")
string(REGEX MATCH "^#:schema (/[^\n]*/share/gpe/encoding.schema.json)\n# llama.toml" found "${out}")
if(NOT EXISTS "${CMAKE_MATCH_1}")
  fail("--show-encoding" "does not begin with the schema for editors:\n${out}")
endif()
file(WRITE "${WORK}/again.toml" "${out}")
expect(COMMAND check-properties again.toml --head-dim 128 --table frequencies OUT "1.0000000000000000")
set(shown "${out}")
expect(COMMAND check-properties model --table frequencies)
equal("the frequencies of the encoding that is shown" "${out}" "${shown}")

# Llama 4 Scout: low = high, and nothing is blended.
file(READ "${cases}/llama-3.1-8b.json" scout)
string(JSON scout SET "${scout}" rope_scaling high_freq_factor 1.0)
file(WRITE "${WORK}/scout.json" "${scout}")
expect(COMMAND check-properties scout.json --quiet --output none --certificates scout)
expect(COMMAND verify-certificate scout OUT "27 of 27 proved")

# One encoding per kind of layers, one report per head where heads differ; a requirement counts for all.
expect(COMMAND check-properties "${cases}/gemma-3-4b.json" --show-encoding --format json)
value(kinds "${out}" encodings)
string(JSON count LENGTH "${kinds}")
equal("kinds of layers" "${count}" 2)
value(layers "${out}" encodings 1 layers)
string(REGEX REPLACE "[ \n]" "" layers "${layers}")
equal("full layers" "${layers}" "[6,12,18,24,30]")
expect(COMMAND check-properties "${cases}/gemma-3-4b.json" --require cn --quiet --output none EXIT 3
       ERR "required: gemma3_text-full: convergent-normalization" NOT "gemma3_text-sliding: convergent")
expect(COMMAND check-properties "${cases}/mpt-7b.json" --table slopes --format json)
value(rows "${out}" rows)
string(JSON count LENGTH "${rows}")
equal("heads" "${count}" 32)
value(slope "${out}" rows 31 slope)
equal("the last slope" "${slope}" "1/256")

# Classes have defaults for all that a config leaves out, and parts of a model have a type of their own.
function(layers name json)  # then name, layers, heads, heads of keys and dimension of each kind
  file(WRITE "${WORK}/${name}.json" "${json}")
  expect(COMMAND check-properties ${name}.json --show-encoding --format json)
  set(found "")
  value(kinds "${out}" encodings)
  string(JSON count LENGTH "${kinds}")
  math(EXPR last "${count} - 1")
  foreach(kind RANGE ${last})
    foreach(key name layers heads key_heads head_dim)
      value(part "${out}" encodings ${kind} ${key})
      string(REGEX REPLACE "[ \n]" "" part "${part}")
      list(APPEND found "${part}")
    endforeach()
  endforeach()
  equal("the layers of ${name}" "${found}" "${ARGN}")
endfunction()

# Heads and layers as the classes have them, and the layer schedule of each family's own code.
layers(sparse_gemma3 "{\"model_type\": \"gemma3\", \"text_config\": {\"hidden_size\": 2560, \"num_hidden_layers\": 12, \"sliding_window\": 1024}}"
       gemma3_text-sliding "[1,2,3,4,5,7,8,9,10,11]" 8 4 256 gemma3_text-full "[6,12]" 8 4 256)
layers(qwen2_vl "{\"model_type\": \"qwen2_vl\", \"hidden_size\": 64, \"num_hidden_layers\": 2, \"num_attention_heads\": 4, \"num_key_value_heads\": 2, \"rope_scaling\": {\"type\": \"mrope\", \"mrope_section\": [2, 3, 3]}}"
       qwen2_vl_text "[1,2]" 4 2 16)
layers(qwen3_next "{\"model_type\": \"qwen3_next\", \"num_hidden_layers\": 8}" qwen3_next "[4,8]" 16 2 256)
layers(mimo "{\"model_type\": \"mimo_v2_flash\", \"num_hidden_layers\": 7}"
       mimo_v2_flash-full "[1,6]" 64 4 192 mimo_v2_flash-sliding "[2,3,4,5,7]" 64 8 192)
layers(gemma4 "{\"model_type\": \"gemma4\", \"text_config\": {\"model_type\": \"gemma4_text\", \"num_hidden_layers\": 7, \"attention_k_eq_v\": true, \"num_global_key_value_heads\": 2}}"
       gemma4_text-sliding "[1,2,3,4,5]" 8 4 256 gemma4_text-full "[6,7]" 8 2 512)
layers(chunks "{\"model_type\": \"llama4_text\", \"num_hidden_layers\": 5, \"attention_chunk_size\": 8192}"
       llama4_text-sliding "[1,2,3,5]" 40 8 128 llama4_text-full "[4]" 40 8 128)
layers(falcon "{\"model_type\": \"falcon\", \"num_hidden_layers\": 2}" falcon "[1,2]" 71 1 64)
layers(mistral_large4 "{\"model_type\": \"mistral_large4_text\", \"num_hidden_layers\": 5}"
       mistral_large4_text-rope "[1,2,3,5]" 64 64 128 mistral_large4_text-nope "[4]" 64 64 128)
layers(muse "{\"model_type\": \"muse_spark_text\", \"num_hidden_layers\": 6}"
       muse_spark_text-sliding "[1,3,4,5]" 128 16 64 muse_spark_text-full "[2,6]" 128 16 64)
layers(nemotron_h "{\"model_type\": \"nemotron_h\", \"hybrid_override_pattern\": \"M-M*-M*\"}" nemotron_h "[4,7]" 32 8 128)

layers(beam "{\"model_type\": \"beam\", \"num_hidden_layers\": 7}" beam-sliding "[1,2,3,4,5]" 48 8 128 beam-full "[6,7]" 48 8 128)
layers(flint "{\"model_type\": \"flint\", \"num_hidden_layers\": 7}" flint-full "[1,2,6,7]" 32 4 128 flint-sliding "[3,4,5]" 32 4 128)
layers(lfm3 "{\"model_type\": \"lfm3\", \"num_hidden_layers\": 8}" lfm3-full "[3,7]" 16 4 128 lfm3-sliding "[5]" 16 4 128)
layers(kimi_linear "{\"model_type\": \"kimi_linear\", \"num_hidden_layers\": 9}" kimi_linear "[5,9]" 32 32 192)
layers(olmo_hybrid "{\"model_type\": \"olmo_hybrid\", \"num_hidden_layers\": 8}" olmo_hybrid "[4,8]" 30 30 128)
layers(modernbert-decoder "{\"model_type\": \"modernbert-decoder\", \"num_hidden_layers\": 4}" modernbert-decoder-full "[1,4]" 12 12 64 modernbert-decoder-sliding "[2,3]" 12 12 64)
layers(dots3_note_text "{\"model_type\": \"dots3_note_text\", \"num_hidden_layers\": 6}" dots3_note_text-full "[1,2,6]" 128 128 192 dots3_note_text-sliding "[3,4,5]" 64 64 256)
layers(laguna "{\"model_type\": \"laguna\", \"num_hidden_layers\": 3}" laguna "[1,2,3]" 48 8 128)
layers(exaone4 "{\"model_type\": \"exaone4\", \"num_hidden_layers\": 8}" exaone4-sliding "[1,2,3,5,6,7]" 32 32 128 exaone4-full "[4,8]" 32 32 128)
layers(longcat "{\"model_type\": \"longcat_flash\", \"num_layers\": 2}" longcat_flash "[1,2,3,4]" 64 64 192)

# Normed queries and keys make B a number.
expect(COMMAND check-properties qwen3_next.json --show-encoding OUT "queries and keys are normed: B = sqrt(256) where the norms have weights 1")
# What an indexer keeps is said.
expect(COMMAND check-properties mistral_large4.json --show-encoding
       OUT "scores over all keys; its indexer keeps 2048 of them: all up to L = 2047")
# The rotation that goes the other way.
file(WRITE "${WORK}/nanochat.json" "{\"model_type\": \"nanochat\"}")
expect(COMMAND check-properties nanochat.json --show-encoding OUT "angle = \"-(base")

# The temperature by length has its training length, whatever the rotation.
set(small "\"hidden_size\": 64, \"num_attention_heads\": 4, \"head_dim\": 16, \"num_hidden_layers\": 2")
foreach(kind "\"rope_type\": \"default\"" "\"rope_type\": \"linear\", \"factor\": 2.0")
  file(WRITE "${WORK}/ministral3.json" "{\"model_type\": \"ministral3\", ${small}, \"rope_parameters\": {${kind}, \"rope_theta\": 1e4,
    \"llama_4_scaling_beta\": 0.1, \"original_max_position_embeddings\": 64}}")
  expect(COMMAND check-properties ministral3.json --table temperature --lengths 63,64 OUT "1.0000000000000000" "1.0693147180559945")
endforeach()
