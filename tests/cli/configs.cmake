# config.json files: what they become, and every way not to fit.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")
set(cases "${SOURCE}/tests/cases/configs")
set(program check-properties)

function(refused_config name json message)
  file(WRITE "${WORK}/${name}.json" "${json}")
  refused("${name}.json: ${message}" ${name}.json)
endfunction()

set(llama "\"model_type\": \"llama\", \"hidden_size\": 64, \"num_attention_heads\": 4, \"num_hidden_layers\": 2")
refused_config(no_json "{" "expected a JSON object")
refused_config(no_type "{\"hidden_size\": 64}" "key 'model_type' is missing; expected a string")
refused_config(unknown "{\"model_type\": \"lama\"}" "key 'model_type' is \"lama\", which is not known here; did you mean 'llama'?")
refused_config(learned "{\"model_type\": \"gpt2\"}"
               "key 'model_type' is \"gpt2\", a model with learned absolute positions; expected one whose scores are a function of")
refused_config(no_heads "{\"model_type\": \"llama\", \"hidden_size\": 64}"
               "key 'num_attention_heads' is missing; expected an integer from 1 to 1024")
refused_config(odd "{\"model_type\": \"llama\", \"hidden_size\": 60, \"num_attention_heads\": 4, \"num_hidden_layers\": 2}"
               "heads of dimension 15; expected an even number from 2")
refused_config(rope_type "{${llama}, \"rope_scaling\": {\"rope_type\": \"axial\"}}"
               "key 'rope_scaling.rope_type' is \"axial\"; expected one of default, linear, dynamic, yarn, longrope, llama3, proportional")
refused_config(no_factor "{${llama}, \"rope_parameters\": {\"rope_type\": \"linear\"}}"
               "key 'rope_parameters.factor' is missing; expected a number from 1e-06 to 1e+12")
refused_config(factor_text "{${llama}, \"rope_scaling\": {\"type\": \"linear\", \"factor\": \"2\"}}"
               "key 'rope_scaling.factor' is \"2\"; expected a number")
refused_config(short "{${llama}, \"max_position_embeddings\": 64, \"rope_scaling\": {\"type\": \"longrope\", \"short_factor\": [1], \"long_factor\": [2]}}"
               "key 'rope_scaling.short_factor' is [1]; expected 8 numbers, one for each block of 16 coordinates that turn")
refused_config(sections "{${llama}, \"rope_scaling\": {\"type\": \"default\", \"mrope_section\": [2, 3, 3]}}"
               "key 'rope_scaling.mrope_section' is [2,3,3]; expected positions in one dimension")
refused_config(partial "{${llama}, \"partial_rotary_factor\": 0.2}" "3 of 16 coordinates turn (partial_rotary_factor); expected an even number")
refused_config(layers "{\"model_type\": \"qwen2\", \"hidden_size\": 64, \"num_attention_heads\": 4, \"num_hidden_layers\": 2, \"layer_types\": [\"full_attention\"]}"
               "key 'layer_types' is [\"full_attention\"]; expected a list of 2 strings")
refused_config(linear "{\"model_type\": \"qwen3\", \"num_attention_heads\": 4, \"num_hidden_layers\": 2, \"layer_types\": [\"full_attention\", \"linear_attention\"]}"
               "key 'layer_types' has 'linear_attention', which is no function of a distance; expected full_attention or sliding_attention")
refused_config(chunks "{\"model_type\": \"llama4_text\", \"num_attention_heads\": 4, \"num_hidden_layers\": 4, \"attention_chunk_size\": 8192}"
               "key 'attention_chunk_size' is 8192; expected null: what a layer with chunks sees is no function of a distance")
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
refused("--show-encoding: alibi is no config.json; it is an encoding already" alibi --show-encoding)

# A folder stands for its config.json, and what is shown is read again.
file(MAKE_DIRECTORY "${WORK}/model")
file(COPY_FILE "${cases}/llama-3.1-8b.json" "${WORK}/model/config.json")
expect(COMMAND check-properties model --show-encoding OUT "name = \"llama\"" "2*pi*high")
file(WRITE "${WORK}/again.toml" "${out}")
expect(COMMAND check-properties again.toml --head-dim 128 --table frequencies OUT "1.0000000000000000")
set(shown "${out}")
expect(COMMAND check-properties model --table frequencies)
equal("the frequencies of the encoding that is shown" "${out}" "${shown}")

# One encoding a kind of layers, one report a head where heads differ; a requirement counts for all.
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
