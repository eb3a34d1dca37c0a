# Two config.json files: the same, and five ways in which a port goes wrong.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

function(config name json)
  file(WRITE "${WORK}/${name}.json" "${json}")
endfunction()
function(different first second)
  expect(COMMAND compare-configs ${first}.json ${second}.json EXIT 3 OUT ${ARGN})
endfunction()

set(sizes "\"model_type\": \"llama\", \"hidden_size\": 64, \"num_attention_heads\": 4, \"num_hidden_layers\": 4")
set(yarn "\"rope_scaling\": {\"rope_type\": \"yarn\", \"factor\": 8, \"original_max_position_embeddings\": 512")
config(plain "{${sizes}}")
config(stated "{${sizes}, \"rope_theta\": 10000.0, \"vocab_size\": 7, \"rotary_width\": 3}")
expect(COMMAND compare-configs plain.json stated.json OUT "the same positions, windows, scales and norms of queries and keys in every layer"
       "stated.json: keys that could be left out: rope_theta" "stated.json: unused keys: rotary_width" NOT "vocab_size")

# Keys in vain: misspelled (with what is used instead), and read by other engines alone; also in a text_config, and by layer type.
config(slip "{${sizes}, \"rope_tetha\": 500000.0, \"vocab_size\": 7, \"rotary_width\": 3}")
expect(COMMAND compare-configs plain.json slip.json OUT "plain.json\nslip.json\n\nslip.json: key 'rope_tetha' is not read; did you mean 'rope_theta'? Used: base 10000\n"
       "slip.json: unused keys: rotary_width")
foreach(format markdown latex)
  expect(COMMAND compare-configs plain.json slip.json --format ${format} OUT "did you mean 'rope" "Used: base 10000")
endforeach()
expect(COMMAND check-properties slip.json --table frequencies OUT "1  " ERR "check-properties: slip.json: key 'rope_tetha' is not read; did you mean 'rope_theta'? Used: base 10000")
set(attn "\"rope_scaling\": {\"rope_type\": \"yarn\", \"factor\": 8, \"original_max_position_embeddings\": 512, \"attn_factor\": 0.8}")
config(attn "{${sizes}, ${attn}}")
config(inside "{\"model_type\": \"llava\", \"text_config\": {${sizes}, ${attn}}}")
foreach(name attn inside)
  set(outside "")
  if(name STREQUAL inside)
    set(outside "text_config.")
  endif()
  expect(COMMAND compare-configs ${name}.json ${name}.json OUT
         "key '${outside}rope_scaling.attn_factor' is not read by transformers: vLLM and SGLang multiply cos and sin of YaRN by it" NOT "unused keys")
endforeach()
config(layered "{\"model_type\": \"mellum\", \"rope_parameters\": {\"full_attention\": {\"rope_type\": \"yarn\", \"rope_theta\": 1e6, \"factor\": 2, \"original_max_position_embeddings\": 2048, \"beta_fats\": 16}, \"sliding_attention\": {\"rope_type\": \"default\", \"rope_theta\": 1e4}}}")
expect(COMMAND compare-configs layered.json layered.json OUT "key 'rope_parameters.full_attention.beta_fats' is not read; did you mean 'beta_fast'? Used: beta_fast 32")
# Each stands where the other would: both are meant.
config(both "{${sizes}, \"rope_theta\": 500000.0, \"rope_tetha\": 3.0}")
expect(COMMAND compare-configs both.json both.json OUT "unused keys: rope_tetha" NOT "did you mean")

# Another base: the scores agree at distance 0 and differ by at most 2B.
config(base "{${sizes}, \"rope_theta\": 500000.0}")
different(plain base "layers 1-4: llama and llama" "base  10000  500000" "shown by a prompt of 2 tokens")
expect(COMMAND compare-configs plain.json base.json --lengths 0,1 --format json EXIT 3 OUT "\"same\": false")
value(low "${out}" layers 0 scores 0 difference lower)
value(high "${out}" layers 0 scores 0 difference upper)
equal("the difference at distance 0" "${low} ${high}" "0 0")
value(tokens "${out}" layers 0 tokens)
equal("the shortest prompt" "${tokens}" 2)
# 2 sin((10000^(-1/8) - 500000^(-1/8))/2) = 0.12222...: the block with the largest difference of angles
value(low "${out}" layers 0 scores 1 difference lower)
string(SUBSTRING "${low}" 0 6 low)
equal("the difference at distance 1" "${low}" "0.1222")

# YaRN dropped, and its temperature applied twice: (log(8)/10 + 1)^2 = 1.459..., and its square
config(yarn "{${sizes}, ${yarn}}}")
config(twice "{${sizes}, ${yarn}, \"attention_factor\": 1.45912908}}")
different(plain yarn "angle" "gain")
different(yarn twice "attention_factor  none                    36478227/25000000" "shown by a prompt of 2 tokens\n")

# A window off by one, dropped, and a schedule that is shifted by one layer.
set(gemma "\"model_type\": \"gemma2\", \"hidden_size\": 64, \"num_attention_heads\": 4, \"head_dim\": 16, \"num_hidden_layers\": 4")
config(gemma "{${gemma}, \"sliding_window\": 8}")
config(longer "{${gemma}, \"sliding_window\": 9}")
config(shifted "{${gemma}, \"sliding_window\": 8, \"layer_types\": [\"full_attention\", \"sliding_attention\", \"full_attention\", \"sliding_attention\"]}")
different(gemma longer "layers 1, 3: gemma2-sliding and gemma2-sliding" "window  8 keys  9 keys" "shown by a prompt of 9 tokens")
different(gemma shifted "layers 1, 3: gemma2-sliding and gemma2-full" "layers 2, 4: gemma2-full and gemma2-sliding" "window  8 keys  none")

# Chunks are not sliding windows of their size: the query at 8 sees one key in place of 8. Those of one key are.
foreach(size 1 8)
  set(same_sizes "\"hidden_size\": 64, \"num_attention_heads\": 4, \"num_key_value_heads\": 4, \"head_dim\": 16, \"num_hidden_layers\": 4, \"rope_theta\": 10000.0")
  config(chunk${size} "{\"model_type\": \"llama4_text\", ${same_sizes}, \"attention_chunk_size\": ${size}, \"attn_temperature_tuning\": false, \"use_qk_norm\": false}")
  config(window${size} "{\"model_type\": \"cohere2\", ${same_sizes}, \"sliding_window\": ${size}, \"sliding_window_pattern\": 4}")
endforeach()
different(chunk8 window8 "layers 1-3: llama4_text-sliding and cohere2-sliding" "window  chunks of 8 keys  8 keys" "64      0                 1.00000" "shown by a prompt of 9 tokens")
expect(COMMAND compare-configs chunk8.json window8.json --format json EXIT 3 OUT "\"same\": false")
expect(COMMAND compare-configs chunk1.json window1.json OUT "the same positions")
expect(COMMAND compare-configs chunk8.json chunk8.json OUT "the same positions")

# Norms of queries and keys, and keys that an indexer drops.
config(qwen2 "{\"model_type\": \"qwen2\", ${same_sizes}}")
config(qwen3 "{\"model_type\": \"qwen3\", ${same_sizes}}")
different(qwen2 qwen3 "norms of queries and keys  none  B = sqrt(16) with weights 1" "64      0                 0")

# Norms with weights after the rotation: what is compared are formulas, which scores follow where weights agree.
set(hunyuan "\"model_type\": \"hunyuan_v1_dense\", \"num_hidden_layers\": 2")
config(hunyuan "{${hunyuan}}")
config(hunyuan_base "{${hunyuan}, \"rope_theta\": 500000.0}")
different(hunyuan hunyuan_base "hunyuan_v1_dense: norms with weights after the rotation: where their products a and b differ in a pair")
expect(COMMAND check-properties hunyuan.json --stack OUT "hunyuan_v1_dense: norms with weights after the rotation")
expect(COMMAND check-properties hunyuan.json --time-limit 1 --total-limit 2 OUT "norms with weights after the rotation" "depend on the distance alone")
string(JSON normed SET "{\"model_type\": \"llama4_text\", ${same_sizes}, \"attention_chunk_size\": 8, \"attn_temperature_tuning\": false}" use_qk_norm true)
config(normed "${normed}")
different(chunk8 normed "layers 1-3: llama4_text-sliding and llama4_text-sliding" "norms of queries and keys  none  B = sqrt(16) with weights 1" NOT "layers 4")
config(indexed "{\"model_type\": \"deepseek_v32\", \"num_hidden_layers\": 2}")
config(fewer "{\"model_type\": \"deepseek_v32\", \"num_hidden_layers\": 2, \"index_topk\": 1024}")
different(indexed fewer "keys" "its indexer keeps 2048 of them: all up to L = 2047" "its indexer keeps 1024 of them: all up to L = 1023")

# Pairs, and the direction.
config(neighbours "{\"model_type\": \"cohere\", \"hidden_size\": 64, \"num_attention_heads\": 4, \"num_hidden_layers\": 4, \"rope_theta\": 10000.0}")
different(plain neighbours "pairs  halves  neighbours" "scores differ by at most")
config(back "{\"model_type\": \"nanochat\", \"hidden_size\": 64, \"num_attention_heads\": 4, \"num_hidden_layers\": 4}")
different(plain back "angle" "shown by a prompt of 2 tokens")

# Parts of a head that turn: with halves, 8 of 16 coordinates make other pairs than all of them.
foreach(part 0.5 1.0)
  config(part${part} "{\"model_type\": \"phi\", \"hidden_size\": 64, \"num_attention_heads\": 4, \"num_hidden_layers\": 2, \"partial_rotary_factor\": ${part}}")
endforeach()
different(part0.5 part1.0 "pairs  halves of the first 8" "scores differ by at most")

# 10000^(-1/8) = 100^(-1/4): a block that turns alike in both models has difference 0, which rounding must not make undefined.
foreach(part "1.0" "0.5, \"rope_theta\": 100.0")
  string(SUBSTRING "${part}" 0 3 name)
  config(glm${name} "{\"model_type\": \"glm\", \"hidden_size\": 32, \"num_attention_heads\": 2, \"num_key_value_heads\": 2, \"head_dim\": 16, \"num_hidden_layers\": 1, \"partial_rotary_factor\": ${part}}")
endforeach()
expect(COMMAND compare-configs glm1.0.json glm0.5.json --lengths 0,1 --format json EXIT 3 OUT "\"same\": false")
value(high "${out}" layers 0 scores 1 difference upper)
string(SUBSTRING "${high}" 0 9 high)
equal("the difference at distance 1" "${high}" "0.0099999")

# Soft caps alone: with the gain sqrt(16/256) the scores are at most tanh(1/4) and 1/4, 0.005081... apart; windows and sinks: nothing is said of the weights.
foreach(cap 1.0 null)
  config(cap${cap} "{${gemma}, \"attn_logit_softcapping\": ${cap}}")
endforeach()
different(cap1.0 capnull "64      0.00508134        0.00254066")
different(gemma longer "64      0                 1.00000")
config(sink "{\"model_type\": \"gpt_oss\", \"hidden_size\": 64, \"num_attention_heads\": 4, \"num_key_value_heads\": 4, \"head_dim\": 16, \"num_hidden_layers\": 4, \"layer_types\": [\"full_attention\", \"full_attention\", \"full_attention\", \"full_attention\"], \"rope_parameters\": {\"rope_type\": \"default\", \"rope_theta\": 10000.0}}")
different(plain sink "sink  none  yes" "64      0                 1.00000")

# Other heads, more layers, and what is not a config.
config(heads "{\"model_type\": \"llama\", \"hidden_size\": 64, \"num_attention_heads\": 8, \"num_hidden_layers\": 4}")
different(plain heads "heads of other numbers or dimensions have no scores in common")
config(deeper "{\"model_type\": \"llama\", \"hidden_size\": 64, \"num_attention_heads\": 4, \"num_hidden_layers\": 5}")
different(plain deeper "layer 5: no attention and llama" "attention  none  softmax" "the first has 4 layers, the second 5")
set(program compare-configs)
refused("missing.json: no such file" plain.json missing.json)
refused("--lengths 9,8: expected increasing whole numbers up to 131072" plain.json base.json --lengths 9,8)

# Pairs of latent attention: neighbours, or halves where rope_interleave is false and the class reads it.
set(latent "\"num_hidden_layers\": 2, \"hidden_size\": 64, \"num_attention_heads\": 4, \"num_key_value_heads\": 4, \"kv_lora_rank\": 16, \"qk_rope_head_dim\": 8, \"qk_nope_head_dim\": 8, \"v_head_dim\": 8, \"rope_theta\": 10000.0")
foreach(type deepseek_v2 deepseek_v3 longcat_flash youtu)
  config(${type} "{\"model_type\": \"${type}\", ${latent}, \"num_layers\": 1}")
  config(${type}-halves "{\"model_type\": \"${type}\", ${latent}, \"num_layers\": 1, \"rope_interleave\": false}")
endforeach()
expect(COMMAND compare-configs deepseek_v3.json youtu.json OUT "the same positions")
expect(COMMAND compare-configs deepseek_v2.json deepseek_v2-halves.json OUT "the same positions" "unused keys: rope_interleave")
different(deepseek_v3 youtu-halves "pairs  neighbours of the last 8  halves of the last 8" "scores differ by at most")
different(deepseek_v3 deepseek_v3-halves "shown by a prompt of 2 tokens")

# Rows of tables are parts, too: one factor of LongRoPE, buckets whose values are learned. So is a layer more, where none of them has softmax attention.
set(rows 1.5 1.5 1.5 1.5 1.5 1.5 1.5)
list(JOIN rows "," rows)
foreach(last 2 3)
  config(long${last} "{\"model_type\": \"phi3\", \"hidden_size\": 64, \"num_attention_heads\": 4, \"num_key_value_heads\": 4, \"num_hidden_layers\": 2, \"max_position_embeddings\": 4096, \"original_max_position_embeddings\": 512, \"rope_scaling\": {\"type\": \"longrope\", \"short_factor\": [${rows},1], \"long_factor\": [${rows},${last}]}}")
endforeach()
different(long2 long3 "long 7  2  3" "4096    0.")
foreach(buckets 32 64)
  config(t5${buckets} "{\"model_type\": \"t5\", \"num_layers\": 2, \"num_heads\": 2, \"d_kv\": 64, \"d_model\": 128, \"relative_attention_num_buckets\": ${buckets}}")
endforeach()
different(t532 t564 "rows of values  32  64" "the values of the bias are learned, and not in the config")
foreach(layers 8 9)
  config(next${layers} "{\"model_type\": \"qwen3_next\", \"num_hidden_layers\": ${layers}}")
endforeach()
different(next8 next9 "layer 9: no attention and no attention" "the first has 8 layers, the second 9")
